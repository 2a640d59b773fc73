import type { Repeat } from '@/api/orders'
import { groupIban } from '@/lib/iban'
import type { Locale } from '@/lib/locale'

import { valuesOfRepeat } from './repeat'
import { EMPTY_PAYMENT, NO_ACCOUNT, withFilledAccount, type PaymentValues } from './values'

/** What the address may carry: an earlier item to repeat, or a client to pay for. */
export interface Arrival {
  readonly repeat_item_id?: string
  readonly client?: { readonly inn: string; readonly full_name: string }
}

interface Given {
  readonly arrival: Arrival
  readonly repeat: Repeat | null
  readonly draft: PaymentValues | null
  readonly user: { readonly iban: string; readonly okpo: string }
  readonly firstTypeId: string
  readonly locale: Locale
}

/** What the form opens with, and what it is emptied to. */
export function arrivalValues({ arrival, repeat, draft: kept, user, firstTypeId, locale }: Given): {
  readonly initial: PaymentValues
  readonly empty: PaymentValues
} {
  const empty = {
    ...EMPTY_PAYMENT,
    paymentTypeId: firstTypeId,
    ownIban: groupIban(user.iban),
    ownOkpo: user.okpo,
  }
  if (repeat !== null) return { initial: valuesOfRepeat(repeat, user, locale), empty }
  const draft = kept && withFilledAccount(kept, NO_ACCOUNT, empty)
  const { client } = arrival
  if (client !== undefined) {
    const named = { clientName: client.full_name, clientCode: client.inn }
    // A payment begun before its client was known goes on with the client; one for somebody else gives way.
    const anonymous = draft !== null && draft.clientName === '' && draft.clientCode === ''
    return { initial: { ...(anonymous ? draft : empty), ...named }, empty }
  }
  return { initial: draft ?? empty, empty }
}
