import type { I18n } from '@lingui/core'

import type { DealKind } from '@/api/deals'

import { detailsOf, isDetail } from './details'
import { payerName } from './payers'
import { sumNames } from './sum-names'
import {
  actionField,
  answerField,
  codeField,
  KIND,
  nameField,
  ownSumField,
  payersOf,
  questionsAsked,
  reasonField,
  recipientField,
  REGION,
  type DealLine,
  type DealValues,
} from './values'

const named = (words: string, ...fields: readonly string[]) => fields.map((field) => [field, words] as const)

const isSum = (field: string): field is keyof typeof sumNames => field in sumNames

/** The fields of the form, in the order of the page, each with the words that tell its error from others of the same text, if any. */
export function fieldNames(
  kind: DealKind | null,
  lines: readonly DealLine[],
  values: DealValues,
  language: I18n,
): readonly (readonly [field: string, words: string])[] {
  const payers = payersOf(lines)
  const withSums = (fields: readonly string[]) =>
    fields.map((field) => [field, isSum(field) ? language._(sumNames[field]) : ''] as const)
  return [
    [KIND, ''],
    ...withSums((kind?.sums ?? []).filter((sum) => !isDetail(sum))),
    ...(kind === null ? [] : questionsAsked(kind, values)).flatMap(({ id, question }) =>
      named(question, answerField(id)),
    ),
    ...withSums(kind === null ? [] : detailsOf(kind, values)),
    [REGION, ''],
    ...lines.flatMap(({ payment: { id, name } }) =>
      named(name, actionField(id), recipientField(id), ownSumField(id), reasonField(id)),
    ),
    ...payers.flatMap((party) =>
      named(payers.length > 1 ? payerName(party, payers, language) : '', nameField(party), codeField(party)),
    ),
  ]
}
