import { useLingui } from '@lingui/react/macro'
import { Suspense, useEffect } from 'react'
import { keepLastCart } from '@/api/last-cart'
import type { User } from '@/api/user'
import { Confirmation } from '@/features/auth/confirmation/confirmation'
import { loadCatalog } from '@/i18n/i18n'
import { later } from '@/lib/later'
import { Dialog } from '@/ui/dialog'
import { catalogs } from '../catalogs'
import { registerServiceWorker } from '../offline/register'
import { LookSwitch } from '../look-switch'
import { showChangedTexts } from '../untranslated'
import { Identity, LogoutButton } from './identity'
import { useLiveUpdates } from './live-updates'
import { Navigation } from './navigation'
import { SessionWarning } from './session-warning'

const PaletteButton = later(async () => (await import('@/features/keyboard/load')).loadButton())
const Keyboard = later(async () => (await import('@/features/keyboard/load')).load())

/** Nobody who logs out waits for it. Where it is not loaded here, the logout itself loads it. */
const loadLeaving = () => void import('./leaving').catch(() => undefined)

interface LaterPartsProps {
  readonly user: User
  readonly menuOpen: boolean
  readonly onMenuClose: () => void
}

/**
 * The parts of the frame that are loaded after the page is shown: live updates, the warning of the session's end, and
 * the menu of a narrow page.
 */
export function LaterParts({ user, menuOpen, onMenuClose }: LaterPartsProps) {
  const { t } = useLingui()
  useLiveUpdates(user.id)
  useEffect(() => keepLastCart(user.id), [user.id])
  useEffect(registerServiceWorker, [])
  useEffect(measureNotices, [])
  useEffect(loadLeaving, [])
  // Who translates the page does so once it stands.
  useEffect(() => showChangedTexts(document.body), [])
  return (
    <>
      <SessionWarning />
      <Suspense>
        <Keyboard />
      </Suspense>
      <Confirmation loadTexts={loadConfirmationTexts} />
      <Dialog open={menuOpen} onClose={onMenuClose} title={t`Меню`}>
        <Identity user={user} onFollow={onMenuClose} />
        <div>
          <Navigation onFollow={onMenuClose} />
          <Suspense>
            <PaletteButton onFollow={onMenuClose} />
          </Suspense>
        </div>
        <div className="border-y border-rule py-2">
          <LookSwitch />
        </div>
        <LogoutButton />
      </Dialog>
    </>
  )
}

/** Tells the styles how much of the window the notices above the header cover. */
function measureNotices() {
  const notices = document.querySelector<HTMLElement>('.frame-notices')
  if (notices === null) return undefined
  const observer = new ResizeObserver(() =>
    document.documentElement.style.setProperty('--notices', `${notices.offsetHeight}px`),
  )
  observer.observe(notices)
  return () => observer.disconnect()
}

const loadConfirmationTexts = () => Promise.all([loadCatalog(catalogs.auth), loadCatalog(catalogs.proof)])
