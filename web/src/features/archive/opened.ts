/**
 * Which rows of the archive are opened. They stay opened on the way to another page and back. Signing out empties the cache that holds
 * them.
 */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

const queryKey = ['opened orders']
const none: ReadonlySet<string> = new Set()

/** Returns the ids of the opened orders, and what opens or closes one. */
export function useOpened() {
  const cache = useQueryClient()
  const { data: opened = none } = useQuery<ReadonlySet<string>>({
    queryKey,
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
  })
  const toggle = useCallback(
    (id: string) =>
      cache.setQueryData<ReadonlySet<string>>(queryKey, (now = none) => {
        const next = new Set(now)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    [cache],
  )
  return { opened, toggle }
}
