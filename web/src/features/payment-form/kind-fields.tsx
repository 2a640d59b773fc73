import { useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'

import type { PaymentType } from '@/api/payment-types'
import type { PaymentKind } from '@/lib/commission'
import { paymentKindText } from '@/lib/payment-kind'
import { AwaitedPart } from '@/ui/awaited-part'
import { RadioSegments } from '@/ui/radio-segments'

import { FeeFields } from './fee-fields'
import { kindHints } from './field-texts'
import { RequisitesFields } from './later-parts'
import type { PaymentLists } from './list'
import { hasListedRecipient, withPaymentType, type PaymentFields, type PaymentValues } from './values'

interface KindFieldsProps {
  readonly form: PaymentFields
  readonly kind: PaymentKind | null
  readonly types: readonly PaymentType[]
  readonly lists: PaymentLists
  readonly notaryCode: string
  /** Called with the earlier values where a template has replaced something typed. */
  readonly onReplaced: (earlier: PaymentValues) => void
}

/** The kind of the payment, and the fields that it needs. */
export function KindFields({ form, kind, types, lists, notaryCode, onReplaced }: KindFieldsProps) {
  const { t, i18n } = useLingui()
  const hint = kind === null ? undefined : kindHints[kind]
  return (
    <>
      <RadioSegments
        {...form.text('paymentTypeId')}
        legend={t`Вид платежу`}
        hint={hint && i18n._(hint)}
        options={types.map(({ id, slug }) => ({
          value: id,
          label: i18n._(paymentKindText[slug]),
          note: slug === 'requisites_payment' ? t`і державне мито` : undefined,
        }))}
        onValueChange={(id) => form.change((current) => withPaymentType(current, id))}
      />
      {kind !== null && hasListedRecipient(kind) && <FeeFields form={form} kind={kind} lists={lists} />}
      {kind === 'requisites_payment' && (
        <Suspense fallback={<AwaitedPart />}>
          <RequisitesFields
            form={form}
            templates={lists.templates}
            notaryCode={notaryCode}
            onReplaced={onReplaced}
          />
        </Suspense>
      )}
    </>
  )
}
