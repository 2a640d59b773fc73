import { Outlet } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { later } from '@/lib/later'
import { Brand } from './brand'
import { Footer } from './footer'
import { OfflineBanner } from './offline-banner'
import { LanguageSwitch } from './language-switch'

const LookSwitch = later(async () => (await import('./look-switch')).LookSwitch)

/** The layout of the pages of a guest. */
export function GuestLayout() {
  return (
    <GuestFrame>
      <Outlet />
    </GuestFrame>
  )
}

/** The frame of the pages of a guest: brand and switches above, footer below. */
export function GuestFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <div className="frame-notices">
        <OfflineBanner />
      </div>
      <header className="flex items-center justify-between gap-3 px-4 py-3 sm:px-8 sm:py-5">
        <Brand />
        <div className="flex items-center gap-1">
          <LanguageSwitch />
          {/* Its place is kept, so that nothing moves when it comes. */}
          <div className="min-h-11 w-14">
            <Suspense>
              <LookSwitch />
            </Suspense>
          </div>
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="flex grow flex-col items-center px-4 pt-4 pb-14 outline-none sm:pt-[8vh]"
      >
        {children}
      </main>
      <Footer />
    </div>
  )
}
