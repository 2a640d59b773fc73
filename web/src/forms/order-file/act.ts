import { Refusal, type MessageKey } from '@/api/failure'
import { actDraftName } from '@/forms/act-draft-name'
import type { DraftKey } from '@/forms/draft'
import { civilDate } from '@/lib/dates'
import type { NotarialAct } from '@/lib/order-file'
import { namesPaymentCard } from '@/lib/payment-card'
import { parseRegisterNumber, type RegisterNumberRule } from '@/lib/register-number'
import { plainLine } from '@/lib/text'
import { readDate, readWholeDate } from '@/lib/typed-date'

export type ActField = keyof NotarialAct

/** The fields as typed, the date in any way that `readDate` reads; an empty text is not known. */
export type TypedAct = Readonly<Record<ActField, string>>

interface ActDraft {
  readonly typed: TypedAct
  /** What was stored then. */
  readonly over: NotarialAct
  /** The ids of the payments in the cart, separated by spaces; null for an order. */
  readonly items: string | null
}

export const actDraft = (id: string): DraftKey<ActDraft> => ({
  name: actDraftName(id),
  asksBeforeLeaving: true,
})

/** The years that an act can have. */
const YEAR = /^(?:20\d\d|199[3-9])-/u

export const typedOf = (act: NotarialAct): TypedAct => ({
  register_number: act.register_number ?? '',
  date: act.date === null ? '' : civilDate(act.date),
  object: act.object ?? '',
})

/** The act as typed. A date that can't be read, or is still being typed, stays as it is: it is not stored, and it is not none. */
export const actOf = (typed: TypedAct): NotarialAct => ({
  register_number: plainLine(typed.register_number) || null,
  date: readWholeDate(typed.date) ?? (typed.date.trim() || null),
  object: plainLine(typed.object) || null,
})

/**
 * The refusal of fields that name a payment card, which never leaves the browser, and of another number than the stored one that the
 * installation does not take; null if there is none.
 */
export function refusalOf(
  act: NotarialAct,
  stored: NotarialAct,
  rule: RegisterNumberRule | null,
): Refusal | null {
  const { register_number: number } = act
  const isKept = number === null || number === stored.register_number
  const read = rule === null || isKept ? null : parseRegisterNumber(number, rule)
  const errors = Object.entries(act).flatMap(([field, text]): (readonly [string, MessageKey])[] => {
    if (text !== null && namesPaymentCard(text)) return [[field, 'card_number_not_accepted']]
    return field === 'register_number' && read?.ok === false ? [[field, read.error]] : []
  })
  const [first] = errors
  const fields = errors.map(([field, key]) => [field, [key]] as const)
  return first === undefined ? null : new Refusal(422, first[1], Object.fromEntries(fields), null, {})
}

export const textOf = (act: NotarialAct) => JSON.stringify([act.register_number, act.date, act.object])

/**
 * The values of the fields, such as those that were typed or those that the form was opened with. A field that was changed from `from`
 * to `to` follows, unless something else was typed in it.
 */
export function following(values: TypedAct, typed: TypedAct, from: NotarialAct, to: NotarialAct): TypedAct {
  const here = actOf(typed)
  const there = typedOf(to)
  const valueOf = (field: ActField) =>
    from[field] !== to[field] && here[field] === from[field] ? there[field] : values[field]
  return { register_number: valueOf('register_number'), date: valueOf('date'), object: valueOf('object') }
}

/** Whether a date is one that an act can have, or none. */
export const isPossibleDate = (date: string | null): boolean =>
  date === null || (readDate(date) === date && YEAR.test(date))

/**
 * Whether what was typed for these payments of the cart belongs to those that are there now. The client's earlier ones may have been
 * ordered, and the new ones belong to another act. What was typed for an order belongs to it.
 */
export function isSameAct(before: string | null, now: string | null): boolean {
  const items = now?.split(' ')
  return items === undefined || before === null || before.split(' ').some((item) => items.includes(item))
}

/** What can be stored of what was typed: a wrong date, a card number and a wrong number in the register stay out. */
export function storableAct(
  typed: TypedAct,
  over: NotarialAct,
  rule: RegisterNumberRule | null,
): NotarialAct {
  const read = actOf(typed)
  const wanted = isPossibleDate(read.date) ? read : { ...read, date: over.date }
  const refused = Object.keys(refusalOf(wanted, over, rule)?.errors ?? {})
  return { ...wanted, ...Object.fromEntries(refused.map((field) => [field, over[field as ActField]])) }
}
