import { useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'

import type { PaymentType, RequisitesTemplate } from '@/api/payment-types'
import type { PaymentKind } from '@/lib/commission'
import { AwaitedPart } from '@/ui/awaited-part'
import { Sheet } from '@/ui/sheet'

import { ClientFields } from './client-fields'
import { OwnAccountFields } from './later-parts'
import type { PaymentLists } from './list'
import type { OwnAccountPlace } from './own-account'
import { KindFields } from './kind-fields'
import type { PaymentFields, PaymentValues } from './values'

interface PaymentSheetProps {
  readonly form: PaymentFields
  readonly kind: PaymentKind | null
  readonly types: readonly PaymentType[]
  readonly lists: PaymentLists
  readonly template: RequisitesTemplate | undefined
  /** Grows with each try to send the payment while a question about the client is open. */
  readonly asked: number
  /** Called after such a question was answered. */
  readonly onAnswered: () => void
  readonly notaryCode: string
  readonly account: OwnAccountPlace
  /** Called with the earlier values where a template has replaced something typed. */
  readonly onReplaced: (earlier: PaymentValues) => void
}

/** The fields of a payment: the client, what is paid, and the notary's own account where it is not the profile's. */
export function PaymentSheet({
  form,
  kind,
  template,
  asked,
  onAnswered,
  account,
  ...payment
}: PaymentSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet aria-label={t`Платіж`} className="@container">
      <div className="flex flex-col gap-3">
        <ClientFields form={form} template={template} asked={asked} onAnswered={onAnswered} />
        <hr className="border-rule" />
        <KindFields form={form} kind={kind} {...payment} />
        {account.shown === 'fields' && (
          <div className="flex flex-col gap-3 border-t border-rule pt-5">
            <h2 className="text-sm font-semibold">{t`Ваш рахунок для 60 %`}</h2>
            <Suspense fallback={<AwaitedPart />}>
              <OwnAccountFields form={form} takesFocus={account.opened} />
            </Suspense>
          </div>
        )}
      </div>
    </Sheet>
  )
}
