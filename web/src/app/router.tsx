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
    // What a page's address may carry is all that it carries: the rest is dropped before the page reads it.
    search: { strict: true },
    defaultPreload: 'intent',
    // The queries know how old their data is.
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
