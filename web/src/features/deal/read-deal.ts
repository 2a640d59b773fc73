import type { AddDealRequest, DealFacts, DealKind, DealSum } from '@/api/deals'
import type { MessageKey } from '@/api/failure'
import type { FieldErrors } from '@/forms/read-fields'
import { parseClientCode } from '@/lib/client-code'
import { parseLine, parsePersonName } from '@/lib/line'
import { toHryvnias } from '@/lib/money'
import { parseMoney } from '@/lib/money-typed'
import { err, ok, type Result } from '@/lib/result'

import { detailErrors } from './details'
import { feeWayOf } from './recipients'
import {
  actionField,
  answerField,
  codeField,
  isAdded,
  isLeftOut,
  KIND,
  nameField,
  needsReason,
  ownSumField,
  payersOf,
  questionsAsked,
  reasonField,
  recipientField,
  REGION,
  valueOf,
  type DealLine,
  type DealValues,
} from './values'

export interface DealContext {
  readonly kind: DealKind | null
  readonly facts: DealFacts | null
  /** The sums without which the payments can't be calculated, although the kind allows to leave them out. */
  readonly needed: readonly DealSum[]
  readonly lines: readonly DealLine[]
  readonly region: string
  /** The chosen recipients of the fees, by the ids of their payments. */
  readonly chosen: ReadonlyMap<string, string>
}

type Line = NonNullable<NonNullable<AddDealRequest['lines']>[string]>

/** Parses the values into the body of `POST /deal/cart`, or returns the errors of all wrong fields. */
export function readDeal(
  values: DealValues,
  context: DealContext,
): Result<AddDealRequest, FieldErrors<string>> {
  const errors = new Map<string, MessageKey>()
  function take<Value>(name: string, read: Result<Value, MessageKey>): Value | undefined {
    if (read.ok) return read.value
    errors.set(name, read.error)
    return undefined
  }
  const required = (name: string) => {
    if (valueOf(values, name) === '') errors.set(name, 'field_required')
  }
  const { kind, facts, lines, region } = context
  if (kind === null) return err({ [KIND]: 'field_required' })
  for (const sum of kind.sums)
    if (context.needed.includes(sum) || !isLeftOut(kind, values, sum))
      take(sum, parseMoney(valueOf(values, sum)))
  for (const [name, error] of detailErrors(kind, values)) errors.set(name, error)
  for (const { id } of questionsAsked(kind, values)) required(answerField(id))

  const parties: Record<string, { inn: string; full_name: string }> = {}
  for (const party of payersOf(lines)) {
    const nameText = valueOf(values, nameField(party))
    const name = take(nameField(party), parsePersonName(nameText, 'client_full_name_required'))
    const code = take(codeField(party), parseClientCode(valueOf(values, codeField(party))))
    parties[party] = { inn: code?.code ?? '', full_name: name ?? '' }
  }
  const hasFee = lines.some((line) => isAdded(line) && feeWayOf(line) !== null)
  if (hasFee && region === '') errors.set(REGION, 'payment_type_region_required')

  const wanted: Record<string, Line> = {}
  for (const line of lines.filter(({ payable }) => payable)) {
    const { id } = line.payment
    if (needsReason(line))
      take(reasonField(id), parseLine(valueOf(values, reasonField(id)), 'field_required'))
    if (line.action === 'other_sum') take(ownSumField(id), parseMoney(valueOf(values, ownSumField(id))))
    const recipient = context.chosen.get(id)
    if (recipient === '' && region !== '' && isAdded(line))
      errors.set(recipientField(id), 'payment_type_requisite_required')
    wanted[id] = {
      action: line.action,
      ...(line.sum !== null && { amount: toHryvnias(line.sum) }),
      ...(needsReason(line) && { reason: valueOf(values, reasonField(id)) }),
      ...(isAdded(line) &&
        recipient !== undefined && {
          payment_type_region_id: region,
          payment_type_requisite_id: recipient,
        }),
    }
  }
  if (errors.size > 0 || facts === null) return err(Object.fromEntries(errors))
  return ok({ ...facts, answers: { ...facts.answers }, parties, lines: wanted })
}

/**
 * The body of `POST /deal/calculation`: the deal as far as it was decided. Names, codes and reasons that are missing or wrong are left
 * out. Null while the deal can't be calculated.
 */
export function printedDeal(
  values: DealValues,
  { facts, lines, region, chosen }: DealContext,
): AddDealRequest | null {
  if (facts === null) return null
  const parties = payersOf(lines).map((party) => {
    const name = parsePersonName(valueOf(values, nameField(party)), 'client_full_name_required')
    const code = parseClientCode(valueOf(values, codeField(party)))
    return [party, { inn: code.ok ? code.value.code : '', full_name: name.ok ? name.value : '' }] as const
  })
  const wanted = lines
    .filter(({ payable }) => payable)
    .map((line): readonly [string, Line] => {
      const { id } = line.payment
      const reason = parseLine(valueOf(values, reasonField(id)), 'field_required')
      const recipient = chosen.get(id) ?? ''
      return [
        id,
        {
          action: line.action,
          ...(line.sum !== null && { amount: toHryvnias(line.sum) }),
          ...(needsReason(line) && reason.ok && { reason: reason.value }),
          ...(region !== '' && { payment_type_region_id: region }),
          ...(recipient !== '' && { payment_type_requisite_id: recipient }),
        },
      ]
    })
  return {
    ...facts,
    answers: { ...facts.answers },
    parties: Object.fromEntries(parties),
    lines: Object.fromEntries(wanted),
  }
}

/** The fields that have one name in the form and in the request. */
const SAME_NAMES: ReadonlySet<string> = new Set([
  'price',
  'valuation',
  'building_price',
  'costs',
  'objects',
  'owners',
  'payers',
])

/** The field of the form for a field of the request; null where there is none. */
export function fieldOf(wireName: string, lines: readonly DealLine[]): string | null {
  if (wireName === 'kind_id') return KIND
  if (SAME_NAMES.has(wireName)) return wireName
  const party = /^parties\.([a-z]+(?::\d+)?)\.(inn|full_name)$/u.exec(wireName)
  if (party !== null) return `${party[2] === 'inn' ? 'code' : 'name'} ${party[1]}`
  // The id of a payment may hold points, the name of a field doesn't.
  const [, id, field] = /^lines\.(.+)\.([a-z_]+)$/u.exec(wireName) ?? []
  const line = lines.find(({ payment }) => payment.id === id)
  if (line === undefined || id === undefined) return null
  switch (field) {
    case 'reason':
      return reasonField(id)
    case 'payment_type_region_id':
      return REGION
    case 'payment_type_requisite_id':
      return recipientField(id)
    case 'amount':
      return line.action === 'other_sum' ? ownSumField(id) : actionField(id)
    default:
      return actionField(id)
  }
}
