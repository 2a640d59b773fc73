import { I18nProvider } from '@lingui/react'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isFailure } from '@/api/failure'
import { session } from '@/api/session'
import { followSession } from '@/app/follow-session'
import { makeRouter } from '@/app/router'
import { i18n, storedLocale, switchLocale } from '@/i18n/i18n'
import './ui/theme.css'

// A page that was open during an update asks for parts that are gone: one reload brings the new ones. Only one, or a
// part that is really missing would reload for ever; and none while the server is away, or the page itself would be gone.
async function reloadForNewParts() {
  const reloadedAt = Number(sessionStorage.getItem('cabinet.reloaded-at') ?? 0)
  if (Date.now() - reloadedAt < 60_000) return
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  if (answer?.ok !== true) return
  sessionStorage.setItem('cabinet.reloaded-at', String(Date.now()))
  location.reload()
}
window.addEventListener('vite:preloadError', () => void reloadForNewParts())

const place = document.querySelector('#root')
if (place === null) throw new Error('index.html has no #root')
const router = makeRouter()
followSession(router)
// The words of the frame, the page and its data come at the same time.
const words = switchLocale(storedLocale())
// The parts of the page come while the server is asked about the session, not after it has answered.
if (session.expected) {
  for (const route of router.getMatchedRoutes(router.latestLocation.pathname)[0]) {
    // A part that does not come is asked for again by its page, which says so.
    router.loadRouteChunk(route)?.catch(() => undefined)
  }
}
// What stands in the document meanwhile stays until the page can take its place.
const drawn = Promise.all([words, router.load()]).then(() => {
  const root = createRoot(place)
  // Drawn in small portions, so that a press on a slow phone is not kept waiting.
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
  // The document has a sentence for it; start.js tries again once there is a connection.
  document.documentElement.dataset['stuck'] = ''
  if (!isFailure(cause)) throw cause
})
