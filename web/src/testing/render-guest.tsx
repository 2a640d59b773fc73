import { I18nProvider } from '@lingui/react'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render } from '@testing-library/react'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import { followSession } from '@/app/follow-session'
import { routeTree } from '@/app/routes'
import { i18n, switchLocale } from '@/i18n/i18n'
import { leaveAfterTest } from './leave-after-test'
import { config, olena } from './samples'
import { answer } from './server'

interface Rendered {
  readonly user: UserEvent
  /** The current path. */
  readonly path: () => string
  /** The current history entry as JSON. */
  readonly entry: () => string
  /** Goes back or forward by so many history entries. */
  readonly go: (entries: number) => void
  /** The number of history entries. */
  readonly entries: () => number
  /** Reloads the current address, as a phone does after unloading the page. */
  readonly reload: () => Promise<void>
  readonly leave: () => void
}

/** Opens an address as a guest, with the real routes, guards and `followSession`. */
export async function renderGuest(address: string): Promise<Rendered> {
  queryClient.clear()
  session.close()
  answer('get', '/api/config', config)
  answer('post', '/api/auth/me', olena)
  answer('get', '/api/cart/items/count', { items_count: 2 })
  // The page after a login.
  answer('get', '/api/payment-types', { payment_types: [] })
  answer('get', '/api/cart/client/last', { client: null })
  await switchLocale('uk')

  const history = createMemoryHistory({ initialEntries: [address] })
  const open = () => {
    const router = createRouter({ routeTree, history })
    leaveAfterTest(router)
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
