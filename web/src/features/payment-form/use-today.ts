import { useSyncExternalStore } from 'react'

import { kyivDate } from '@/lib/dates'

const LOOK_EVERY_MS = 30_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

/** The date in Kyiv, `YYYY-MM-DD`. It changes at midnight while the page is open. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, () => kyivDate(new Date()))
}
