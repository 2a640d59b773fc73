import type { DealKind } from '@/api/deals'

import { detailsOf, isDetail } from './details'
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

/** The fields of the form, in the order of the page. */
export function fieldNames(
  kind: DealKind | null,
  lines: readonly DealLine[],
  values: DealValues,
): readonly string[] {
  return [
    KIND,
    ...(kind?.sums ?? []).filter((sum) => !isDetail(sum)),
    ...(kind === null ? [] : questionsAsked(kind, values)).map(({ id }) => answerField(id)),
    ...(kind === null ? [] : detailsOf(kind, values)),
    REGION,
    ...lines.flatMap(({ payment: { id } }) => [
      actionField(id),
      recipientField(id),
      ownSumField(id),
      reasonField(id),
    ]),
    ...payersOf(lines).flatMap((party) => [nameField(party), codeField(party)]),
  ]
}
