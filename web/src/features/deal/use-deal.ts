import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import {
  addDealToCart,
  dealCalculation,
  dealKindsQuery,
  dealPaymentsQuery,
  type AddDealRequest,
  type DealKind,
} from '@/api/deals'
import { Refusal } from '@/api/failure'
import { useDownloads } from '@/api/use-download'
import { addIntentOf } from '@/forms/add-intent'
import { draftOf, forgetDraft, keepDraft, useDraft } from '@/forms/draft'
import { useGivenBack } from '@/forms/given-back'
import { sendIntent } from '@/forms/send-intent'
import { showAdded } from '@/forms/show-added'
import { isStillSignedIn } from '@/forms/still-signed-in'
import { useForm, type Form } from '@/forms/use-form'
import { payNext } from '@/lib/pay-next'
import { useIsShown } from '@/lib/use-is-shown'

import { addedText } from './added-text'
import { dealDraft, type DealDraft } from './draft'
import { fieldOf, printedDeal, readDeal } from './read-deal'
import { useReckoning } from './use-reckoning'
import { answerField, isAnswer, KIND, valueOf, type DealValues } from './values'

export type DealForm = Form<DealValues, AddDealRequest>

/** The state of the form of a deal, and adding its payments to the cart. */
export function useDeal(kinds: readonly DealKind[], notaryId: string) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const [draft] = useState(() => draftOf(dealDraft, notaryId))
  const [intent, setIntent] = useState(draft?.intent ?? null)
  const [isAdded, setAdded] = useState(false)
  const [changed, setChanged] = useState(false)
  // The form is read with what is calculated from its own values.
  const [values, setValues] = useState<DealValues>(draft?.values ?? {})

  const reckoned = useReckoning(kinds, values)
  const { kind, needed, calculation, lines, recipients } = reckoned

  const read = (typed: DealValues) => readDeal(typed, reckoned)
  const form: DealForm = useForm({
    name: 'deal',
    initial: () => values,
    read,
    submit: (request: AddDealRequest) => {
      setChanged(false)
      return sendIntent(request, intent, setIntent, addDealToCart)
    },
    onSent: ({ items_count: count, added }, request) => {
      if (!isStillSignedIn(queryClient, notaryId)) return
      setAdded(true)
      // The next deal is offered the recipients of this one.
      queryClient.removeQueries({
        queryKey: dealPaymentsQuery({ kind_id: '', answers: {} }).queryKey.slice(0, 2),
      })
      showAdded(queryClient, count, addedText(added, request))
      void queryClient.invalidateQueries({ queryKey: dealKindsQuery().queryKey })
      if (!isShown()) return forgetDraft(dealDraft)
      payNext()
      void navigate({ to: '/cart' })
    },
    onFailure: (failure) => {
      if (!(failure instanceof Refusal)) return false
      // The screen shows something that the server doesn't: it is calculated anew.
      calculation.retry()
      setChanged(failure.key === 'price_changed')
      return failure.key === 'price_changed'
    },
    fieldOf: (wireName) => fieldOf(wireName, lines),
    errorText: (key, name) => {
      if (key !== 'field_required') return null
      if (name === KIND) return t`Виберіть вид нотаріальної дії`
      return isAnswer(name) ? t`Виберіть відповідь` : null
    },
    hasSummary: true,
    isLeftOnSuccess: true,
  })
  if (form.values !== values) setValues(form.values)

  const kept = useMemo(
    () => (isAdded || Object.values(values).every((text) => text === '') ? null : { values, intent }),
    [isAdded, values, intent],
  )
  useDraft(dealDraft, notaryId, kept)
  const { offerBack } = useGivenBack(
    `deal ${notaryId}`,
    '/deal',
    t`Повернути`,
    (earlier: DealDraft) => {
      form.reset(earlier.values)
      setIntent(earlier.intent)
    },
    (earlier) => keepDraft(dealDraft, notaryId, earlier),
  )

  const downloads = useDownloads()
  const printing = {
    running: downloads.running.has('calculation'),
    failure: downloads.failure,
    start: () => {
      const request = printedDeal(form.values, reckoned)
      if (request !== null) downloads.start({ name: 'calculation', load: () => dealCalculation(request) })
    },
  }

  /** Whether the form holds another deal than the one whose request has no answer. */
  function isOther(): boolean {
    const isReckoned = !calculation.waiting && !recipients.loading
    if (intent === null || !isReckoned || (calculation.failure ?? recipients.failure) !== null) return false
    const typed = read(values)
    return !typed.ok || addIntentOf(typed.value, intent) !== intent
  }

  return {
    form,
    kind,
    /** The deal whose request has no answer, so that its payments may be in the cart: the one in the form, or another one. */
    unanswered: intent === null || form.busy ? null : isOther() ? 'other' : 'same',
    /** The calculation as a document. */
    printing,
    /** Answers as in the latest deal of a kind. */
    repeat: (kindId: string) => {
      const last = kinds.find(({ id }) => id === kindId)?.last_answers ?? {}
      const answers = Object.entries(last).map(
        ([question, answer]) => [answerField(question), answer] as const,
      )
      form.change({ [KIND]: kindId, ...Object.fromEntries(answers) })
    },
    calculation,
    needed,
    lines,
    recipients,
    /** The sums have changed since they were shown; nothing was added. */
    changed,
    clear: () => {
      if (kept !== null) offerBack(t`Форму очищено`, kept)
      form.reset({})
      setIntent(null)
      setChanged(false)
    },
  }
}

export type Deal = ReturnType<typeof useDeal>

/** The props of a field, also of one that nothing was typed into yet. */
export const textOf = (form: DealForm, name: string) => ({
  ...form.text(name),
  value: valueOf(form.values, name),
})
