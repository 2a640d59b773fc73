import { I18nProvider } from '@lingui/react'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isFailure } from '@/api/failure'
import { session } from '@/api/session'
import { followSession } from '@/app/follow-session'
import { makeRouter } from '@/app/router'
import { i18n, storedLocale, switchLocale } from '@/i18n/i18n'
import { awaitFirstScreen } from '@/lib/page-timing'
import './ui/theme.css'

// The two that the oldest supported browsers lack longest.
if (!('any' in AbortSignal && 'canParse' in URL)) (await import('./lib/older-browsers')).addWhatIsMissing()

awaitFirstScreen()
const place = document.querySelector('#root')
if (place === null) throw new Error('index.html has no #root')
const router = makeRouter()
followSession(router)
// Messages, page and data are loaded in parallel.
const words = switchLocale(storedLocale())
// The page's chunks are loaded while the session is renewed.
if (session.expected) {
  for (const route of router.getMatchedRoutes(router.latestLocation.pathname)[0]) {
    // The route loads it again and shows a failure.
    router.loadRouteChunk(route)?.catch(() => undefined)
  }
}
// The static HTML stays until the page can be shown.
const drawn = Promise.all([words, router.load()]).then(() => {
  const root = createRoot(place)
  // A transition renders in small steps, so that input on a slow phone is not blocked.
  return startTransition(() => {
    root.render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <RouterProvider router={router} />
        </I18nProvider>
      </StrictMode>,
    )
  })
})
drawn.catch((cause: unknown) => {
  // The document shows a message; `start.js` reloads when the connection is back.
  document.documentElement.dataset['stuck'] = ''
  if (!isFailure(cause)) throw cause
})
