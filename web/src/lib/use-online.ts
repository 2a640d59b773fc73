import { useSyncExternalStore } from 'react'

/** How often the server is asked while the browser says that there is no connection. */
const askEveryMilliseconds = 10_000
const answerWithinMilliseconds = 5_000

/** Whether the server has answered although the browser says that there is no connection. */
let isAnswering = false
const listeners = new Set<() => void>()
let waiting: ReturnType<typeof setTimeout> | undefined
/** Grows with each change of the connection: the answer to an earlier question is out of date. */
let question = 0

function tell(answering: boolean): void {
  isAnswering = answering
  for (const listener of listeners) listener()
}

/** Asks the server again and again. Behind some VPNs `navigator.onLine` is false for good. */
async function ask(): Promise<void> {
  clearTimeout(waiting)
  question += 1
  const asked = question
  if (navigator.onLine || listeners.size === 0) return
  const answering = await fetch('/readyz', {
    cache: 'no-store',
    signal: AbortSignal.timeout(answerWithinMilliseconds),
  }).then(
    () => true,
    () => false,
  )
  if (asked !== question) return
  tell(answering)
  waiting = setTimeout(() => void ask(), askEveryMilliseconds)
}

function change(): void {
  tell(false)
  void ask()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    window.addEventListener('online', change)
    window.addEventListener('offline', change)
    void ask()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('online', change)
    window.removeEventListener('offline', change)
    clearTimeout(waiting)
    isAnswering = false
  }
}

/** Whether there is a connection: the browser says so, or the server answers all the same. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine || isAnswering)
}
