import type { ReactNode } from 'react'
import { PageHeading } from '@/ui/page-heading'

interface AuthSheetProps {
  readonly heading: ReactNode
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** The sheet on which one signs in: narrow, alone on the desk. */
export function AuthSheet({ heading, lead, children }: AuthSheetProps) {
  return (
    <section className="w-full max-w-[27rem] rounded-sm bg-sheet shadow-sheet">
      <div className="mx-6 double-rule pt-8 pb-5 sm:mx-9">
        <PageHeading lead={lead}>{heading}</PageHeading>
      </div>
      <div className="flex flex-col gap-5 px-6 pt-6 pb-8 sm:px-9">{children}</div>
    </section>
  )
}

/** What the server said to the last try, once its three seconds under the field are over. */
export function QuietLine({ children }: { readonly children: string | null }) {
  return children === null ? null : <p className="text-sm text-danger">{children}</p>
}
