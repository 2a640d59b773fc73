import type { ReactNode } from 'react'
import { PageHeading } from '@/ui/page-heading'
import { Seal } from '@/ui/seal'

interface AuthSheetProps {
  readonly heading: ReactNode
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** The narrow sheet of all pages of login and sign-up. */
export function AuthSheet({ heading, lead, children }: AuthSheetProps) {
  return (
    <section className="relative w-full max-w-[27rem] overflow-hidden rounded-sm bg-sheet shadow-sheet">
      <Seal size={230} className="pointer-events-none absolute -top-14 -right-14 rotate-12 opacity-[0.07]" />
      <div className="relative mx-6 double-rule pt-8 pb-5 sm:mx-9">
        <PageHeading lead={lead}>{heading}</PageHeading>
      </div>
      <div className="relative flex flex-col gap-5 px-6 pt-6 pb-8 sm:px-9">{children}</div>
    </section>
  )
}

/** The server's answer to the last try, after its three seconds under the field. */
export function QuietLine({ children }: { readonly children: string | null }) {
  return children === null ? null : <p className="text-sm text-danger">{children}</p>
}
