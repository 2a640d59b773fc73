import { t } from '@lingui/core/macro'
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
import { Refusal, type MessageKey } from '@/api/failure'
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

type Reckoned = ReturnType<typeof useReckoning>
export type DealForm = Form<DealValues, AddDealRequest>

/** The state of the form of a deal, and adding its payments to the cart. */
export function useDeal(kinds: readonly DealKind[], notaryId: string) {
  const [draft] = useState(() => draftOf(dealDraft, notaryId))
  const [intent, setIntent] = useState(draft?.intent ?? null)
  const [isAdded, setAdded] = useState(false)
  const [changed, setChanged] = useState(false)
  // The form is read with what is calculated from its own values.
  const [values, setValues] = useState<DealValues>(draft?.values ?? {})
  const queryClient = useQueryClient()
  const goOn = useGoingOn()
  const reckoned = useReckoning(kinds, values)
  const { calculation, lines } = reckoned

  const form: DealForm = useForm({
    name: 'deal',
    initial: () => values,
    read: (typed: DealValues) => readDeal(typed, reckoned),
    submit: (request: AddDealRequest) => {
      setChanged(false)
      return sendIntent(request, intent, setIntent, addDealToCart)
    },
    onSent: (answer, request) => {
      if (!isStillSignedIn(queryClient, notaryId)) return
      setAdded(true)
      goOn(answer, request)
    },
    onFailure: (failure) => {
      if (!(failure instanceof Refusal)) return false
      // The screen shows something that the server doesn't: it is calculated anew.
      calculation.retry()
      setChanged(failure.key === 'price_changed')
      return failure.key === 'price_changed'
    },
    fieldOf: (wireName) => fieldOf(wireName, lines),
    errorText,
    hasSummary: true,
    isLeftOnSuccess: true,
  })
  if (form.values !== values) setValues(form.values)
  const clear = useKeptDeal(notaryId, isAdded ? {} : values, intent, (deal) => {
    form.reset(deal.values)
    setIntent(deal.intent)
  })

  return {
    ...reckoned,
    form,
    /** The deal whose request has no answer, so that its payments may be in the cart: the one in the form, or another one. */
    unanswered: intent === null || form.busy ? null : isOther(values, reckoned, intent) ? 'other' : 'same',
    /** The calculation as a document. */
    printing: usePrinting(form.values, reckoned),
    /** Answers as in the latest deal of a kind. */
    repeat: (kindId: string) => form.change({ [KIND]: kindId, ...lastAnswers(kinds, kindId) }),
    /** The sums have changed since they were shown; nothing was added. */
    changed,
    clear: () => {
      clear()
      setChanged(false)
    },
  }
}

/** A field's own text of an error; null where the text of the key is enough. */
function errorText(key: MessageKey, name: string): string | null {
  if (key !== 'field_required') return null
  if (name === KIND) return t`Виберіть вид нотаріальної дії`
  return isAnswer(name) ? t`Виберіть відповідь` : null
}

/** Returns a function that shows what was added, and leads to the cart. */
function useGoingOn() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  return (
    { items_count: count, added }: Awaited<ReturnType<typeof addDealToCart>>,
    request: AddDealRequest,
  ) => {
    // The next deal is offered the recipients of this one.
    queryClient.removeQueries({
      queryKey: dealPaymentsQuery({ kind_id: '', answers: {} }).queryKey.slice(0, 2),
    })
    showAdded(queryClient, count, addedText(added, request))
    void queryClient.invalidateQueries({ queryKey: dealKindsQuery().queryKey })
    if (!isShown()) return forgetDraft(dealDraft)
    payNext()
    void navigate({ to: '/cart' })
  }
}

const NOTHING: DealDraft = { values: {}, intent: null }

/** Keeps the typed deal in its draft. Returns a function that empties the form and offers the deal back. */
function useKeptDeal(
  notaryId: string,
  values: DealValues,
  intent: DealDraft['intent'],
  put: (deal: DealDraft) => void,
): () => void {
  const isEmpty = Object.values(values).every((text) => text === '')
  const kept = useMemo(() => (isEmpty ? null : { values, intent }), [isEmpty, values, intent])
  useDraft(dealDraft, notaryId, kept)
  const { offerBack } = useGivenBack(`deal ${notaryId}`, '/deal', t`Повернути`, put, (earlier: DealDraft) =>
    keepDraft(dealDraft, notaryId, earlier),
  )
  return () => {
    if (kept !== null) offerBack(t`Форму очищено`, kept)
    put(NOTHING)
  }
}

/** Whether the form holds another deal than the one whose request has no answer. */
function isOther(values: DealValues, reckoned: Reckoned, intent: NonNullable<DealDraft['intent']>): boolean {
  const { calculation, recipients } = reckoned
  const isReckoned = !calculation.waiting && !recipients.loading
  if (!isReckoned || (calculation.failure ?? recipients.failure) !== null) return false
  const typed = readDeal(values, reckoned)
  return !typed.ok || addIntentOf(typed.value, intent) !== intent
}

function usePrinting(values: DealValues, reckoned: Reckoned) {
  const downloads = useDownloads()
  return {
    running: downloads.running.has('calculation'),
    failure: downloads.failure,
    start: () => {
      const request = printedDeal(values, reckoned)
      if (request !== null) downloads.start({ name: 'calculation', load: () => dealCalculation(request) })
    },
  }
}

/** The answers in the latest deal of a kind, as values of their fields. */
function lastAnswers(kinds: readonly DealKind[], kindId: string): DealValues {
  const last = kinds.find(({ id }) => id === kindId)?.last_answers ?? {}
  return Object.fromEntries(
    Object.entries(last).map(([question, answer]) => [answerField(question), answer] as const),
  )
}

export type Deal = ReturnType<typeof useDeal>

/** The props of a field, also of one that nothing was typed into yet. */
export const textOf = (form: DealForm, name: string) => ({
  ...form.text(name),
  value: valueOf(form.values, name),
})
