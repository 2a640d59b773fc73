import { Trans } from '@lingui/react/macro'
import { PageHeading } from '@/ui/page-heading'

/** The heading of the page. It is also part of the static document. */
export function PaymentHeading() {
  return (
    <PageHeading
      lead={
        <Trans>Заповніть дані платежу й додайте його до кошика. Можна сплатити кілька платежів одразу.</Trans>
      }
    >
      <Trans>Новий платіж</Trans>
    </PageHeading>
  )
}
