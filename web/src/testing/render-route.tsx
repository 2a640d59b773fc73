import { I18nProvider } from '@lingui/react'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { userEvent, type UserEvent } from '@testing-library/user-event'

import { onTestFinished } from 'vitest'

import { forgetConfig, type Config } from '@/api/config'
import type { UnfinishedOrder } from '@/api/orders'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import type { User } from '@/api/user'
import { followSession } from '@/app/follow-session'
import { makeRouter } from '@/app/router'
import { i18n, switchLocale } from '@/i18n/i18n'
import type { Locale } from '@/lib/locale'

import { leaveAfterTest } from './leave-after-test'
import { config as usualConfig, olena } from './samples'
import { answer } from './server'

interface Surroundings {
  readonly locale?: Locale
  readonly notary?: User
  readonly config?: Config
  /** The orders that wait for the payer or were not paid, or what answers the call for them. */
  readonly unfinished?: readonly UnfinishedOrder[] | (() => void)
}

interface Rendered {
  readonly user: UserEvent
  /** The current address with its search. */
  readonly address: () => string
  /** Navigates to another address of the cabinet. */
  readonly go: (path: string) => Promise<void>
  /** The browser's own way back. */
  readonly back: () => void
}

/** Answers the calls of every page of a signed-in notary. */
function answerShell(
  notary: User,
  config: Config,
  unfinished: NonNullable<Surroundings['unfinished']>,
): void {
  answer('post', '/api/auth/me', notary)
  answer('get', '/api/config', config)
  answer('get', '/api/cart/items/count', { items_count: 0 })
  if (typeof unfinished === 'function') unfinished()
  else answer('get', '/api/order/unfinished', { orders: [...unfinished] })
}

/**
 * Opens an address as a signed-in notary, with the real routes, guards and loaders and the test server. The test
 * answers the calls of the page itself.
 */
export async function renderRoute(
  path: string,
  { locale = 'uk', notary = olena, config = usualConfig, unfinished = [] }: Surroundings = {},
): Promise<Rendered> {
  queryClient.clear()
  forgetConfig()
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })
  answerShell(notary, config, unfinished)
  await switchLocale(locale)
  session.open({ access_token: 'token', expires_in: 900, notary_id: 'a-notary' })

  const router = makeRouter()
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) })
  leaveAfterTest(router)
  onTestFinished(followSession(router))
  render(
    <I18nProvider i18n={i18n}>
      <RouterProvider router={router} />
    </I18nProvider>,
  )
  return {
    user: userEvent.setup(),
    address: () => router.state.location.href,
    go: async (next) => {
      await router.navigate({ href: next })
    },
    back: () => router.history.back(),
  }
}
