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
      lead={
        <>
          <Trans>Заповніть дані платежу й додайте його до кошика.</Trans>{' '}
          <Trans>Платежі за цілою нотаріальною дією: {link}.</Trans>
        </>
      }
    >
      <Trans>Новий платіж</Trans>
    </PageHeading>
  )
}
