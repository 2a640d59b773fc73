import { createRouter } from '@tanstack/react-router'
import { takeClientFromAddress } from './client-in-address'
import { ErrorPage } from './error-page'
import { NotFoundPage } from './not-found-page'
import { PendingPage } from './pending-page'
import { routeTree } from './routes'

export function makeRouter() {
  takeClientFromAddress()
  return createRouter({
    routeTree,
    // Unknown search parameters are dropped before the page reads them.
    search: { strict: true },
    defaultPreload: 'intent',
    // The queries decide whether their data is stale.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 250,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
