/**
 * What Chromium 109, the last one for Windows 7 and 8.1, and browsers of its time lack, where the browser does not have it. The oldest
 * browsers that are supported stand in the README.
 */
function add(target: object, name: string, value: unknown): void {
  if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

type Compare = (one: unknown, other: unknown) => number

/** Adds what is missing. */
export function addWhatIsMissing(): void {
  add(Array.prototype, 'toSorted', function toSorted(this: readonly unknown[], compare?: Compare) {
    // oxlint-disable-next-line no-array-sort -- the array is a copy
    return [...this].sort(compare)
  })

  add(Array.prototype, 'toReversed', function toReversed(this: readonly unknown[]) {
    // oxlint-disable-next-line no-array-reverse -- the array is a copy
    return [...this].reverse()
  })

  add(AbortSignal, 'any', (signals: readonly AbortSignal[]) => {
    const joined = new AbortController()
    for (const signal of signals) {
      if (signal.aborted) joined.abort(signal.reason)
      signal.addEventListener('abort', () => joined.abort(signal.reason), { signal: joined.signal })
    }
    return joined.signal
  })

  add(URL, 'canParse', (address: string, base?: string) => {
    try {
      return new URL(address, base) instanceof URL
    } catch {
      return false
    }
  })
}
