import { Trans } from '@lingui/react/macro'
import { PaymentHeading } from '@/features/payment-form/payment-heading'
import { BrandMark } from '../brand-mark'

/** The payment page before any data is known: the frame of the cabinet and the page's heading. */
export function ComingPayment() {
  return (
    <div className="flex min-h-dvh flex-col" aria-busy="true">
      <header className="border-b border-rule bg-desk">
        <div className="flex frame-width h-16 items-center">
          <span className="flex min-h-11 items-center gap-3 text-ink">
            <BrandMark narrow />
          </span>
        </div>
      </header>
      <div className="grid frame-width grow grid-cols-[minmax(0,1fr)] gap-x-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <div className="max-lg:hidden" />
        <main className="flex min-w-0 flex-col gap-3 pt-4 pb-10">
          <div className="min-h-11 shadow-[inset_0_-1px_var(--color-rule)]" />
          <PaymentHeading
            link={
              <span className="link">
                <Trans>Розрахунок платежів</Trans>
              </span>
            }
          />
        </main>
      </div>
    </div>
  )
}
