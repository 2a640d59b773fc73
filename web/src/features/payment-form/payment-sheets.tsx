import { useLingui } from '@lingui/react/macro'

import type { PaymentType, RequisitesTemplate } from '@/api/payment-types'
import type { PaymentKind } from '@/lib/commission'
import { Sheet } from '@/ui/sheet'

import { ClientFields } from './client-fields'
import { OwnAccountSheet } from './fee-fields'
import type { PaymentLists } from './list'
import { PaymentSheet } from './payment-sheet'
import type { OwnAccount, PaymentFields, PaymentValues } from './values'

interface PaymentSheetsProps {
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
  /** The notary's own account that is one line until it is changed. */
  readonly account: OwnAccount
  /** Called with the earlier values where a template has replaced something typed. */
  readonly onReplaced: (earlier: PaymentValues) => void
}

/** The fields of a payment: the client, what is paid, and the notary's own account. */
export function PaymentSheets({
  form,
  kind,
  template,
  asked,
  onAnswered,
  account,
  ...payment
}: PaymentSheetsProps) {
  const { t } = useLingui()
  return (
    <>
      <Sheet heading={t`Клієнт`}>
        <ClientFields form={form} template={template} asked={asked} onAnswered={onAnswered} />
      </Sheet>
      <PaymentSheet form={form} kind={kind} {...payment} />
      {kind === 'admin_payment' && (
        <Sheet heading={t`Ваш рахунок для 60 %`}>
          <OwnAccountSheet form={form} profile={account} />
        </Sheet>
      )}
    </>
  )
}
