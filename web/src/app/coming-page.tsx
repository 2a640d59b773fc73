import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { PageHeading } from '@/ui/page-heading'
import { BrandMark } from './brand'

interface ComingPageProps {
  readonly title: MessageDescriptor
  readonly lead: MessageDescriptor
}

/**
 * What stands while the server is asked who is signed in: the cabinet's frame with the words that its page begins with,
 * each where the page will have it, so that there is something to read as soon as the scripts are there.
 */
export function ComingPage({ title, lead }: ComingPageProps) {
  const { i18n } = useLingui()
  return (
    <div className="flex min-h-dvh flex-col" aria-busy="true">
      <header className="border-b border-rule bg-desk">
        <div className="mx-auto flex h-16 max-w-7xl items-center px-4 sm:px-8">
          <span className="flex min-h-11 items-center gap-3 text-ink">
            <BrandMark />
          </span>
        </div>
      </header>
      <div className="mx-auto grid w-full max-w-7xl grow grid-cols-[minmax(0,1fr)] gap-x-8 px-4 sm:px-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <div className="max-lg:hidden" />
        <main className="flex min-w-0 flex-col gap-8 pt-6 pb-16 lg:pt-8">
          <div className="min-h-12 shadow-[inset_0_-1px_var(--color-rule)]" />
          <PageHeading lead={i18n._(lead)}>{i18n._(title)}</PageHeading>
        </main>
      </div>
    </div>
  )
}
