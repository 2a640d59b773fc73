import { I18nProvider } from '@lingui/react'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render } from '@testing-library/react'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import { followSession } from '@/app/follow-session'
import { routeTree } from '@/app/routes'
import { i18n, switchLocale } from '@/i18n/i18n'
import { config, olena } from './samples'
import { answer } from './server'

interface Rendered {
  readonly user: UserEvent
  /** Where the browser is now. */
  readonly path: () => string
  /** All that the entry of the browser's history holds. */
  readonly entry: () => string
  /** The browser's own ways back and on, so many entries. */
  readonly go: (entries: number) => void
  /** How many entries the browser's history has. */
  readonly entries: () => number
  /** Opens the present address anew, as a phone does that had put the page away. */
  readonly reload: () => Promise<void>
  readonly leave: () => void
}

/** Opens an address as somebody does who has no session: the real routes and guards, and the one that follows the session. */
export async function renderGuest(address: string): Promise<Rendered> {
  queryClient.clear()
  session.close()
  answer('get', '/api/config', config)
  answer('post', '/api/auth/me', olena)
  answer('get', '/api/cart/items/count', { items_count: 2 })
  // Where a login leads to.
  answer('get', '/api/payment-types', { payment_types: [] })
  answer('get', '/api/cart/client/last', { client: null })
  await switchLocale('uk')

  const history = createMemoryHistory({ initialEntries: [address] })
  const open = () => {
    const router = createRouter({ routeTree, history })
    const unfollow = followSession(router)
    const drawn = render(
      <I18nProvider i18n={i18n}>
        <RouterProvider router={router} />
      </I18nProvider>,
    )
    return {
      close: () => {
        unfollow()
        drawn.unmount()
      },
    }
  }
  let page = open()
  return {
    user: userEvent.setup(),
    path: () => history.location.pathname,
    entry: () => JSON.stringify(history.location),
    go: (entries) => act(() => history.go(entries)),
    entries: () => history.length,
    reload: async () => {
      page.close()
      await Promise.resolve()
      page = open()
    },
    leave: () => page.close(),
  }
}
