import { useLingui } from '@lingui/react/macro'
import { QueryClientProvider, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { cartCountQuery } from '@/api/cart-count'
import { queryClient } from '@/api/query-client'
import { session } from '@/api/session'
import { userQuery, type User } from '@/api/user'
import { forgetDraftsOfOthers } from '@/forms/draft'
import { cabinetTexts } from '@/i18n/cabinet-message-texts'
import { addMessageTexts, failureText } from '@/i18n/message-texts'
import { leavePage } from '@/lib/leave-page'
import { IconButton } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Brand } from '../brand'
import { Footer } from '../footer'
import { LanguageSwitch, ThemeSwitch } from '../switches'
import { CartLink } from './cart-link'
import { Identity, LogoutButton } from './identity'
import { useLiveUpdates } from './live-updates'
import { Navigation } from './navigation'
import { SessionWarning } from './session-warning'

addMessageTexts(cabinetTexts)

/** Who is signed in has to be known before the shell is drawn; the number in the cart may come later. */
export async function loader(): Promise<void> {
  void queryClient.prefetchQuery(cartCountQuery())
  await queryClient.ensureQueryData(userQuery())
}

/** The frame of every page of the signed-in notary. */
export default function Shell() {
  // Not before it goes: what is still drawn would ask again, without a session.
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
 * The frame of one notary. Where another one has signed in next door the whole page is loaded anew: nothing that stands in
 * a field, in a list or in the memory of this page is for her.
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
  const { t } = useLingui()
  useLiveUpdates(user.id)
  // Whatever page she opens first: what another notary has typed in this tab goes.
  useEffect(() => forgetDraftsOfOthers(user.id), [user.id])
  const [menuOpen, setMenuOpen] = useState(false)
  const closeMenu = () => setMenuOpen(false)
  return (
    <div className="flex min-h-dvh flex-col">
      <SessionWarning />
      {/* On a low screen, or one zoomed in far, a bar that stays would cover what is typed. */}
      <header className="top-0 z-30 border-b border-rule bg-desk [@media(min-height:32rem)]:sticky print:hidden">
        <div className="mx-auto flex h-16 max-w-7xl items-center justify-between gap-3 px-4 sm:px-8">
          <Brand />
          <div className="flex items-center gap-1">
            <CartLink />
            <div className="flex items-center gap-1 max-md:hidden">
              <LanguageSwitch />
              <ThemeSwitch />
            </div>
            <IconButton icon="menu" label={t`Меню`} className="lg:hidden" onClick={() => setMenuOpen(true)} />
          </div>
        </div>
      </header>
      <div className="mx-auto grid w-full max-w-7xl grow grid-cols-[minmax(0,1fr)] gap-x-8 px-4 sm:px-8 lg:grid-cols-[13rem_minmax(0,1fr)] print:block">
        <aside className="sticky top-16 flex h-[calc(100dvh-4rem)] flex-col gap-8 py-8 max-lg:hidden print:hidden">
          <Identity user={user} />
          <Navigation />
          <LogoutButton />
        </aside>
        <main id="main" tabIndex={-1} className="min-w-0 pt-6 pb-16 outline-none lg:pt-8">
          <Outlet />
        </main>
      </div>
      <Footer />
      <Dialog open={menuOpen} onClose={closeMenu} title={t`Меню`}>
        <Identity user={user} onFollow={closeMenu} />
        <Navigation onFollow={closeMenu} />
        <MenuSwitches />
        <LogoutButton />
      </Dialog>
    </div>
  )
}

/** Language and colours in the menu, which covers the place of the toasts: what went wrong is said right here. */
function MenuSwitches() {
  const { i18n } = useLingui()
  const [failure, setFailure] = useState<unknown>(null)
  return (
    <div className="flex flex-col gap-2 border-y border-rule py-2">
      <div className="flex items-center justify-between">
        <LanguageSwitch onSwitch={setFailure} />
        <ThemeSwitch />
      </div>
      {failure !== null && (
        <p role="alert" className="text-sm text-danger">
          {failureText(failure, i18n)}
        </p>
      )}
    </div>
  )
}
