/** Which rows of the archive are opened. The address keeps them: a reload, Back and a copied link show the same. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

import { openedIn, withToggled } from './filter'

const archiveRoute = getRouteApi('/signed-in/payments/archive')

/** Returns the ids of the opened orders, and what opens or closes one. */
export function useOpened() {
  const open = archiveRoute.useSearch({ select: (search) => search.open })
  const navigate = archiveRoute.useNavigate()
  const opened = useMemo(() => new Set(openedIn({ open })), [open])
  const toggle = useCallback(
    (id: string) =>
      void navigate({
        to: '/archive',
        search: (now) => withToggled(now, id),
        // The searched text, which is not in the address.
        state: true,
        // Not an entry for every row, which would make Back useless.
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  return { opened, toggle }
}
