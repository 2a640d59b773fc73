import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { PageHeading } from '@/ui/page-heading'

interface PaymentHeadingProps {
  /** The link to the page of deals. */
  readonly link: ReactNode
}

/** The heading of the page. It is also part of the static document, where nothing can be pressed. */
export function PaymentHeading({ link }: PaymentHeadingProps) {
  return (
    <PageHeading
      aside={
        <p className="text-sm text-ink-soft">
          <Trans>Платежі за цілою нотаріальною дією: {link}.</Trans>
        </p>
      }
    >
      <Trans>Новий платіж</Trans>
    </PageHeading>
  )
}
