import { useLingui } from '@lingui/react/macro'
import { QueryClientProvider, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { cartCountQuery } from '@/api/cart-count'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import { userQuery, type User } from '@/api/user'
import { forgetTypedByOthers } from '@/forms/draft'
import { later } from '@/lib/later'
import { leavePage } from '@/lib/leave-page'
import { whenIdle } from '@/lib/when-idle'
import { AwaitedPart } from '@/ui/awaited-part'
import { IconButton } from '@/ui/button'
import { Brand } from '../brand'
import { Footer } from '../footer'
import { OfflineBanner } from '../offline-banner'
import { LanguageSwitch } from '../language-switch'
import { useAttendance } from './attendance'
import { CartLink } from './cart-link'
import { FirstSteps, loadFirstSteps } from './first-steps'
import { Identity, LogoutButton } from './identity'
import { Navigation } from './navigation'
import { loadUnfinished } from './unfinished'

const StandingNotice = later(async () => (await import('./standing')).load())
const LookSwitch = later(async () => (await import('../look-switch')).LookSwitch)
const PaletteButton = later(async () => (await import('@/features/keyboard/load')).loadButton())
const LaterParts = later(async () => (await import('./later-parts')).LaterParts)

/**
 * The shell needs the user before it is rendered, and the unfinished orders and a newcomer's first steps, which would move the page; the
 * cart count may come later. Without them the page works.
 */
export async function loader(): Promise<void> {
  void queryClient.prefetchQuery(cartCountQuery())
  await Promise.all([queryClient.ensureQueryData(userQuery()).then(loadFirstSteps), loadUnfinished()])
}

/** The frame of every page of the signed-in notary. */
export default function Shell() {
  // Only on unmount: components that are still mounted would query again without a session.
  useEffect(
    () => () => {
      if (session.state.status !== 'signed-in') queryClient.clear()
    },
    [],
  )
  return (
    <QueryClientProvider client={queryClient}>
      <OneNotary />
    </QueryClientProvider>
  )
}

/**
 * The frame of one notary. If another notary signs in in another tab, the whole page is reloaded, so that nothing of
 * the first one remains in memory.
 */
function OneNotary() {
  const { data: user } = useSuspenseQuery(userQuery())
  const [first] = useState(user.id)
  const another = user.id !== first
  useEffect(() => {
    if (another) leavePage('/')
  }, [another])
  return another ? null : <Frame user={user} />
}

function Frame({ user }: { readonly user: User }) {
  useAttendance()
  // Deletes what another notary typed in this tab, whichever page is opened first.
  useEffect(() => forgetTypedByOthers(user.id), [user.id])
  const [menuOpen, setMenuOpen] = useState(false)
  // The later parts are loaded when the browser is idle, or earlier when the menu is opened.
  const [laterParts, showLaterParts] = useState(false)
  useEffect(() => whenIdle(() => showLaterParts(true)), [])
  function openMenu() {
    showLaterParts(true)
    setMenuOpen(true)
  }
  return (
    <div className="flex min-h-dvh flex-col">
      <div className="frame-top">
        <div className="frame-notices">
          <OfflineBanner />
          {laterParts && (
            <Suspense
              fallback={
                menuOpen && (
                  <div className="fixed inset-x-0 top-(--covered) border-b border-rule bg-desk shadow-raised">
                    <AwaitedPart />
                  </div>
                )
              }
            >
              <LaterParts user={user} menuOpen={menuOpen} onMenuClose={() => setMenuOpen(false)} />
            </Suspense>
          )}
        </div>
        <Header onMenu={openMenu} />
      </div>
      <div className="grid frame-width grow lg:min-h-[calc(100dvh-var(--covered))] grid-cols-[minmax(0,1fr)] gap-x-8 lg:grid-cols-[13rem_minmax(0,1fr)] print:block">
        <Side user={user} laterParts={laterParts} />
        <main id="main" tabIndex={-1} className="min-w-0 pt-4 pb-10 outline-none">
          {(user.standing !== 'confirmed' || user.notary_status === 'suspended') && (
            <Suspense>
              <StandingNotice user={user} />
            </Suspense>
          )}
          <FirstSteps user={user} />
          <Outlet />
        </main>
      </div>
      <Footer />
    </div>
  )
}

function Header({ onMenu }: { readonly onMenu: () => void }) {
  const { t } = useLingui()
  return (
    <header className="border-b border-rule bg-desk print:hidden">
      <div className="flex frame-width min-h-16 flex-wrap items-center justify-between gap-1 sm:gap-3">
        <Brand narrow />
        <div className="flex items-center sm:gap-1">
          <CartLink />
          <LanguageSwitch />
          {/* Its place is kept, so that nothing moves when it comes. */}
          <div className="min-h-11 w-14 max-md:hidden">
            <Suspense>
              <LookSwitch />
            </Suspense>
          </div>
          <IconButton icon="menu" label={t`Меню`} className="lg:hidden" onClick={onMenu} />
        </div>
      </div>
    </header>
  )
}

function Side({ user, laterParts }: { readonly user: User; readonly laterParts: boolean }) {
  const { t } = useLingui()
  return (
    <aside aria-label={t`Обліковий запис і розділи`} className="frame-side">
      <Identity user={user} />
      <div>
        <Navigation />
        {/* Its place is kept, so that nothing moves when it comes. */}
        <div className="min-h-11">
          <Suspense>{laterParts && <PaletteButton />}</Suspense>
        </div>
      </div>
      <LogoutButton />
    </aside>
  )
}
