import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { PaymentKind } from './commission'

/** The kinds of payment as a notary calls them (specification, point 3: the label belongs to the slug). */
export const paymentKindText: Record<PaymentKind, MessageDescriptor> = {
  admin_payment: msg`Адміністративний збір`,
  admin_government_payment: msg`Адміністративний збір (державний нотаріус)`,
  registry_payment: msg`Плата за користування реєстрами`,
  requisites_payment: msg`Платіж за реквізитами`,
}
