import type { BookClient } from '@/api/client-search'
import type { DealFacts, DealKind, DealPayment, DealQuestion, DealSum, DealWay } from '@/api/deals'
import { Refusal } from '@/api/failure'
import type { ClientChange, ClientValues } from '@/forms/client-book/client'
import { fromHryvnias, toHryvnias, total, type Kopiykas } from '@/lib/money'
import { parseMoney } from '@/lib/money-typed'

import { countsOf, detailErrors, parseCount, type DealCount } from './details'
import { payerOf, type DealPayer } from './payers'
import { readShares } from './shares'

/**
 * Everything the form holds, as typed, by the names below: which fields there are depends on the kind of deal. A missing field is
 * empty.
 */
export type DealValues = Readonly<Record<string, string>>

export const KIND = 'kind'
export const REGION = 'region'
export const answerField = (questionId: string) => `answer ${questionId}`
export const isAnswer = (field: string) => field.startsWith(answerField(''))
export const nameField = (party: DealPayer) => `name ${party}`
export const codeField = (party: DealPayer) => `code ${party}`
/** The name that the notary insists on, or that is stored so already (`ClientValues`). */
const nameAsTypedField = (party: DealPayer) => `as typed ${party}`
/** The client whom the notary keeps beside the known ones of the same code (`ClientValues`). */
const keptApartField = (party: DealPayer) => `apart ${party}`
export const actionField = (paymentId: string) => `action ${paymentId}`
export const reasonField = (paymentId: string) => `reason ${paymentId}`
export const ownSumField = (paymentId: string) => `sum ${paymentId}`
export const recipientField = (paymentId: string) => `recipient ${paymentId}`

export function valueOf(values: DealValues, name: string): string {
  return values[name] ?? ''
}

/** The client of a party, as the address book knows the fields. */
export const clientOf = (values: DealValues, party: DealPayer): ClientValues => ({
  clientName: valueOf(values, nameField(party)),
  clientCode: valueOf(values, codeField(party)),
  legalEntity: false,
  nameAsTyped: valueOf(values, nameAsTypedField(party)),
  keptApart: valueOf(values, keptApartField(party)),
})

/** The fields of a party for a client of the address book. */
export const valuesOfClient = (
  party: DealPayer,
  { full_name: name, inn }: Pick<BookClient, 'full_name' | 'inn'>,
): DealValues => ({
  [nameField(party)]: name,
  [codeField(party)]: inn,
  [nameAsTypedField(party)]: name,
  [keptApartField(party)]: '',
})

/** The fields of a party after a change of its client. */
export const valuesOfChange = (party: DealPayer, change: ClientChange): DealValues => ({
  ...(change.clientName !== undefined && { [nameField(party)]: change.clientName }),
  ...(change.clientCode !== undefined && { [codeField(party)]: change.clientCode }),
  ...(change.nameAsTyped !== undefined && { [nameAsTypedField(party)]: change.nameAsTyped }),
  ...(change.keptApart !== undefined && { [keptApartField(party)]: change.keptApart }),
})

/** What the notary wants done with a payment. */
type Action = 'add' | 'other_sum' | 'leave_out'

/** A payment of a deal, and what is to be done with it. */
export interface DealLine {
  readonly payment: DealPayment
  /** What is owed; null where nothing is, or the tables don't tell the sum. */
  readonly due: Kopiykas | null
  readonly way: DealWay | null
  /** It can be paid here. */
  readonly payable: boolean
  readonly action: Action
  /** What goes into the cart; null for nothing, and while the notary's own sum is no sum. */
  readonly sum: Kopiykas | null
}

/** Whether nothing is typed into a sum that is needed only where a payment is reckoned from it. */
export const isLeftOut = (kind: DealKind, values: DealValues, sum: DealSum) =>
  kind.optional_sums.includes(sum) && valueOf(values, sum).trim() === ''

/** The sums without which the server can't calculate the payments. */
export const sumsNeeded = (kind: DealKind | null, failure: Error | null): readonly DealSum[] =>
  failure instanceof Refusal
    ? (kind?.optional_sums ?? []).filter((sum) => failure.errors[sum]?.includes('amount_required') === true)
    : []

/** The questions that are asked: not those on which nothing depends after the answers to earlier ones. */
export function questionsAsked(kind: DealKind, values: DealValues): readonly DealQuestion[] {
  const given = new Set<string>()
  return kind.questions.filter(({ id, spared_by }) => {
    if (spared_by.some((answer) => given.has(answer))) return false
    given.add(valueOf(values, answerField(id)))
    return true
  })
}

/** The kind, without answers that belong to another one. */
export function factsOf(kind: DealKind, values: DealValues): DealFacts | null {
  const sums = new Map<DealSum, number>()
  for (const sum of kind.sums) {
    if (isLeftOut(kind, values, sum)) continue
    const read = parseMoney(valueOf(values, sum))
    if (!read.ok) return null
    sums.set(sum, toHryvnias(read.value))
  }
  if (detailErrors(kind, values).size > 0) return null
  const counts = new Map<DealCount, number>()
  for (const name of countsOf(kind)) {
    const read = parseCount(valueOf(values, name))
    if (read.ok && read.value > 1) counts.set(name, read.value)
  }
  const shares = readShares(kind, values)
  const answers = questionsAsked(kind, values).map(
    ({ id }) => [id, valueOf(values, answerField(id))] as const,
  )
  if (answers.some(([, answer]) => answer === '')) return null
  return {
    kind_id: kind.id,
    ...Object.fromEntries([...sums, ...counts]),
    ...(shares.ok && shares.value.length > 0 && { payers: [...shares.value] }),
    answers: Object.fromEntries(answers),
  }
}

/** The payments of a deal with the notary's decisions. A sum that the tables don't tell is always her own. */
export function linesOf(payments: readonly DealPayment[], values: DealValues): readonly DealLine[] {
  return payments.map((payment): DealLine => {
    const { id, outcome } = payment
    if (outcome.state === 'nothing')
      return { payment, due: null, way: null, payable: false, action: 'leave_out', sum: null }
    const { way } = outcome
    const due = outcome.state === 'due' ? fromHryvnias(outcome.sum) : null
    const payable = way.way === 'fee' || way.way === 'register' || way.way === 'template'
    const action = actionOf(valueOf(values, actionField(id)), way, due)
    const own = parseMoney(valueOf(values, ownSumField(id)))
    const sums = { add: due, other_sum: own.ok ? own.value : null, leave_out: null }
    return { payment, due, way, payable, action, sum: payable ? sums[action] : null }
  })
}

function actionOf(chosen: string, way: DealWay, due: Kopiykas | null): Action {
  if (chosen === 'leave_out') return chosen
  const isOwn = due === null || (chosen === 'other_sum' && way.way === 'template')
  return isOwn ? 'other_sum' : 'add'
}

/** Whether a payment goes into the cart. */
export const isAdded = ({ payable, action }: DealLine) => payable && action !== 'leave_out'

/** Whether a decision needs a reason: it differs from the calculation. */
export const needsReason = ({ payable, action, due }: DealLine) =>
  payable && (action === 'leave_out' || (action === 'other_sum' && due !== null))

/** Who pays something here. The order is that of all payments, so that nobody moves when one is left out. */
export function payersOf(lines: readonly DealLine[]): readonly DealPayer[] {
  const paying = new Set(lines.filter(isAdded).map(({ payment }) => payerOf(payment)))
  const all = new Set(lines.map(({ payment }) => payerOf(payment)))
  return [...all].filter((party) => paying.has(party))
}

const sumsOf = (chosen: readonly (Kopiykas | null)[]) => total(chosen.filter((sum) => sum !== null))

/** The payments that are owed and can't be made here. */
export const paidElsewhere = (lines: readonly DealLine[]) =>
  lines.filter(({ payable, way }) => !payable && way !== null)

/** What goes into the cart, and what is paid elsewhere. */
export function totalsOf(lines: readonly DealLine[]): {
  readonly added: Kopiykas
  readonly elsewhere: Kopiykas
} {
  return {
    added: sumsOf(lines.map(({ sum }) => sum)),
    elsewhere: sumsOf(lines.map(({ payable, due }) => (payable ? null : due))),
  }
}
