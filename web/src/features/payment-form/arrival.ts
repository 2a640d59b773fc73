import type { Repeat } from '@/api/orders'
import { groupIban } from '@/lib/iban'
import type { Locale } from '@/lib/locale'

import { valuesOfRepeat } from './repeat'
import { clientOf } from './request'
import {
  EMPTY_PAYMENT,
  NO_ACCOUNT,
  withFilledAccount,
  type PaymentClient,
  type PaymentValues,
} from './values'

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

export interface Opening {
  readonly initial: PaymentValues
  /** What the form is emptied to: the first kind and the notary's own account. */
  readonly empty: PaymentValues
  /** The client that the purpose may have been filled for; the template that tells it comes later. */
  readonly purposeFor: PaymentClient
  /** A payment that was being typed and has given way to what the notary arrived with. */
  readonly replaced: PaymentValues | null
}

/** What the form opens with. */
export function arrivalValues({ arrival, repeat, draft: kept, user, firstTypeId, locale }: Given): Opening {
  const empty = {
    ...EMPTY_PAYMENT,
    paymentTypeId: firstTypeId,
    ownIban: groupIban(user.iban),
    ownOkpo: user.okpo,
  }
  const draft = kept && withFilledAccount(kept, NO_ACCOUNT, empty)
  const anew = (initial: PaymentValues): Opening => ({ initial, empty, purposeFor: initial, replaced: draft })
  if (repeat !== null) return anew(valuesOfRepeat(repeat, user, locale))

  const { client } = arrival
  if (client === undefined) return { ...anew(draft ?? empty), replaced: null }
  const named = { clientName: client.full_name, clientCode: client.inn }
  // A payment begun for this client, or before its client was known, goes on with her; one for somebody else gives way.
  return draft !== null && (isAnonymous(draft) || clientOf(draft).inn === client.inn)
    ? { initial: { ...draft, ...named }, empty, purposeFor: draft, replaced: null }
    : anew({ ...empty, ...named })
}

function isAnonymous({ clientName, clientCode }: PaymentClient): boolean {
  return clientName === '' && clientCode === ''
}
