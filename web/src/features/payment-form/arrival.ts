import { parseClientCode } from '@/lib/client-code'
import { groupIban } from '@/lib/iban'
import type { Locale } from '@/lib/locale'

import type { RepeatedPayment } from './repeat'
import {
  EMPTY_PAYMENT,
  NO_ACCOUNT,
  withFilledAccount,
  type PaymentClient,
  type PaymentValues,
  valuesOfClient,
} from './values'

/** What the page was opened with: an earlier item to repeat, or a client to pay for. */
export interface Arrival {
  readonly repeat_item_id?: string
  readonly client?: { readonly inn: string; readonly full_name: string }
}

interface Given {
  readonly arrival: Arrival
  readonly repeated: RepeatedPayment | null
  readonly draft: PaymentValues | null
  readonly user: { readonly iban: string; readonly okpo: string }
  readonly firstTypeId: string
  readonly locale: Locale
}

export interface Opening {
  readonly initial: PaymentValues
  /** The values of an empty form: the first kind and the notary's own account. */
  readonly empty: PaymentValues
  /** The client for whom a template may have filled the purpose. The template itself is loaded later. */
  readonly purposeFor: PaymentClient
  /** The draft that was replaced by what the page was opened with, as it is kept; null where there was none. */
  readonly replaced: PaymentValues | null
}

/** Returns the values that the form opens with. */
export function arrivalValues({ arrival, repeated, draft: kept, user, firstTypeId, locale }: Given): Opening {
  const empty = {
    ...EMPTY_PAYMENT,
    paymentTypeId: firstTypeId,
    ownIban: groupIban(user.iban),
    ownOkpo: user.okpo,
  }
  const draft = kept && withFilledAccount(kept, NO_ACCOUNT, empty)
  const anew = (initial: PaymentValues): Opening => ({ initial, empty, purposeFor: initial, replaced: kept })
  if (repeated !== null) return anew(repeated.valuesFor(user, locale))

  const { client } = arrival
  if (client === undefined) return { ...anew(draft ?? empty), replaced: null }
  const named = valuesOfClient(client)
  // A draft for this client, or without a client, is continued. One for another client is replaced.
  return draft !== null && (isAnonymous(draft) || codeOf(draft) === client.inn)
    ? { initial: { ...draft, ...named }, empty, purposeFor: draft, replaced: null }
    : anew({ ...empty, ...named })
}

/** The code as it would be sent, or as it was typed where it is invalid. */
function codeOf({ clientCode }: PaymentClient): string {
  const read = parseClientCode(clientCode)
  return read.ok ? read.value.code : clientCode
}

function isAnonymous({ clientName, clientCode }: PaymentClient): boolean {
  return clientName === '' && clientCode === ''
}
