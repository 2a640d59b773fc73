/** Which rows of the archive are opened. The address keeps them: a reload, Back and a copied link show the same. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'

import { openedIn, withToggled } from './filter'
import { keepShowsPayments, showsPayments } from './shows-payments'

const archiveRoute = getRouteApi('/signed-in/payments/archive')

const none: ReadonlySet<string> = new Set()

/**
 * Which rows are opened, what opens or closes one, and whether all are opened. While all are, those that are closed are not in the
 * address: they are for this look alone.
 */
export function useOpened() {
  const [all, setAll] = useState(showsPayments)
  const [closed, setClosed] = useState(none)
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
  const close = useCallback(
    (id: string) =>
      setClosed((now) =>
        now.has(id) ? new Set([...now].filter((each) => each !== id)) : new Set([...now, id]),
      ),
    [],
  )
  function showAll(on: boolean) {
    keepShowsPayments(on)
    setClosed(none)
    setAll(on)
  }
  return {
    isOpen: (id: string) => (all ? !closed.has(id) : opened.has(id)),
    toggle: all ? close : toggle,
    all,
    showAll,
  }
}
