import { useSyncExternalStore } from 'react'

import { kyivDate } from '@/lib/dates'

const LOOK_EVERY_MS = 30_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

/** The day in Kyiv, `YYYY-MM-DD`: a page left open over midnight goes on with the new one. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, () => kyivDate(new Date()))
}
