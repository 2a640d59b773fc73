export interface Gate {
  /** Resolves once the gate is open. */
  readonly passed: Promise<void>
  readonly open: () => void
}

/** Delays an answer until the test opens the gate. */
export function gate(): Gate {
  const opened = new EventTarget()
  const passed = new Promise<void>((resolve) => {
    opened.addEventListener('open', () => resolve(), { once: true })
  })
  return { passed, open: () => opened.dispatchEvent(new Event('open')) }
}
