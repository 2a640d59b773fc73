export interface Gate {
  /** What waits here goes on once the gate is open. */
  readonly passed: Promise<void>
  readonly open: () => void
}

/** Holds an answer back until the test lets it go. */
export function gate(): Gate {
  const opened = new EventTarget()
  const passed = new Promise<void>((resolve) => {
    opened.addEventListener('open', () => resolve(), { once: true })
  })
  return { passed, open: () => opened.dispatchEvent(new Event('open')) }
}
