import { reloadPage } from './leave-page'

const reloadedAtKey = 'cabinet.reloaded-at'

/**
 * Reloads the page because a script that it needs could not be loaded: after an update of the cabinet, an open page asks for
 * scripts that no longer exist. At most once a minute, since a script that is really missing would reload for ever, and
 * only if the server answers, since a reload offline would lose the page. Call it only where the person waits for the
 * script and nothing typed is lost.
 */
export async function reloadForNewParts(): Promise<void> {
  try {
    const reloadedAt = Number(sessionStorage.getItem(reloadedAtKey) ?? 0)
    if (Date.now() - reloadedAt < 60_000) return
    const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' })
    if (!answer.ok) return
    sessionStorage.setItem(reloadedAtKey, String(Date.now()))
    reloadPage()
  } catch {
    // The server does not answer, or the tab has no storage: the page would be lost, or reload for ever.
  }
}
