import { LoginSheet } from '@/features/auth/login-sheet'
import { Skeleton } from '@/ui/skeleton'
import { BrandMark } from '../brand-mark'
import { FooterFrame } from '../footer-frame'

/** The login page with placeholders for the field and the two buttons. */
export function ComingLogin() {
  return (
    <div className="flex min-h-dvh flex-col" aria-busy="true">
      <header className="flex items-center px-4 py-3 sm:px-8 sm:py-5">
        <span className="flex min-h-11 items-center gap-3 text-ink">
          <BrandMark />
        </span>
      </header>
      <main className="flex grow flex-col items-center px-4 pt-4 pb-14 sm:pt-[8vh]">
        <LoginSheet>
          <Skeleton className="mt-7 mb-1.5 h-12" />
          <div className="flex flex-col gap-3">
            <Skeleton className="h-12" />
            <Skeleton className="h-12" />
          </div>
        </LoginSheet>
      </main>
      <FooterFrame />
    </div>
  )
}
