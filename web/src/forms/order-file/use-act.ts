import { useEffect, useMemo, useRef, useState } from 'react'

import { Refusal } from '@/api/failure'
import { trackSave } from '@/api/running-saves'
import { actDraftName } from '@/forms/act-draft-name'
import { draftOf, forgetDraft, useDraft, type DraftKey } from '@/forms/draft'
import type { NotarialAct } from '@/lib/order-file'
import { namesPaymentCard } from '@/lib/payment-card'
import { plainLine } from '@/lib/text'

export type ActField = keyof NotarialAct

/** The fields as typed; an empty text is not known. */
type TypedAct = Readonly<Record<ActField, string>>

/** The pause after the last keystroke before the fields are saved. */
const SAVE_AFTER_MS = 900

/** A date that an act can have. While a year is typed, a date field reads 0002, 0020 and 0202. */
const WHOLE_DATE = /^(?:|20\d\d-\d\d-\d\d|199[3-9]-\d\d-\d\d)$/u

const typedOf = (act: NotarialAct): TypedAct => ({
  register_number: act.register_number ?? '',
  date: act.date ?? '',
  object: act.object ?? '',
})

const actOf = (typed: TypedAct): NotarialAct => ({
  register_number: plainLine(typed.register_number) || null,
  date: typed.date || null,
  object: plainLine(typed.object) || null,
})

/** The refusal of fields that name a payment card; null if none does. A card number never leaves the browser. */
function refusalOfCards(act: NotarialAct): Refusal | null {
  const fields = Object.entries(act).filter(([, text]) => text !== null && namesPaymentCard(text))
  const errors = fields.map(([field]) => [field, ['card_number_not_accepted']] as const)
  return fields.length > 0
    ? new Refusal(422, 'card_number_not_accepted', Object.fromEntries(errors), null, {})
    : null
}

const textOf = (act: NotarialAct) => JSON.stringify([act.register_number, act.date, act.object])

/** The values, where the fields that were not changed by typing follow a change from `from` to `to`. */
function following(values: TypedAct, typed: TypedAct, from: NotarialAct, to: NotarialAct): TypedAct {
  const here = actOf(typed)
  const there = typedOf(to)
  const valueOf = (field: ActField) => (here[field] === from[field] ? there[field] : values[field])
  return { register_number: valueOf('register_number'), date: valueOf('date'), object: valueOf('object') }
}

export interface ActState {
  readonly typed: TypedAct
  readonly change: (field: ActField, text: string) => void
  /** Saves at once what was typed. */
  readonly flush: () => void
  readonly saving: boolean
  /** Whether all that was typed is stored. */
  readonly saved: boolean
  readonly failure: Error | null
  /** The date that was typed can't be that of an act; it is not saved. */
  readonly dateWrong: boolean
  /** The refused fields. */
  readonly refused: ReadonlySet<string>
  /** Sets the fields back to what they were when they were opened; null if nothing has changed since. */
  readonly undo: (() => void) | null
}

interface ActOptions {
  /** The id of the client or of the order. It names the draft. */
  readonly id: string
  readonly owner: string | null
  readonly act: NotarialAct
  readonly save: (act: NotarialAct) => Promise<NotarialAct>
}

interface ActDraft {
  readonly typed: TypedAct
  /** What was stored then. */
  readonly over: NotarialAct
}

/** The fields of a notarial act, saved as they are typed. What could not be saved stays in the fields and in a draft. */
export function useAct({ id, owner, act, save }: ActOptions): ActState {
  const draft = useMemo((): DraftKey<ActDraft> => ({ name: actDraftName(id), asksBeforeLeaving: true }), [id])
  const [opened, setOpened] = useState(act)
  const [typed, setTyped] = useState(() => {
    const kept = draftOf(draft, owner)
    return kept === null ? typedOf(act) : following(kept.typed, kept.typed, kept.over, act)
  })
  const onNews = (from: NotarialAct, to: NotarialAct) => {
    setTyped(following(typed, typed, from, to))
    setOpened((current) => actOf(following(typedOf(current), typed, from, to)))
  }
  const { clear, stored, ...saves } = useSaves({ draft, act, typed, save, onNews })
  const kept = useMemo(() => (saves.saved ? null : { typed, over: stored }), [saves.saved, typed, stored])
  useDraft(draft, owner, kept)
  const isChanged = textOf(actOf(typed)) !== textOf(opened)
  return {
    ...saves,
    typed,
    change: (field, text) => {
      clear(field)
      setTyped((current) => ({ ...current, [field]: text }))
    },
    refused: new Set(saves.failure instanceof Refusal ? Object.keys(saves.failure.errors) : []),
    undo: isChanged
      ? () => {
          clear('date')
          setTyped(typedOf(opened))
        }
      : null,
  }
}

interface SavesOptions extends Pick<ActOptions, 'act' | 'save'> {
  readonly draft: DraftKey<ActDraft>
  readonly typed: TypedAct
  /** Takes what was saved in another window, and what was stored before. */
  readonly onNews: (from: NotarialAct, to: NotarialAct) => void
}

interface Saves extends Pick<ActState, 'flush' | 'saving' | 'saved' | 'failure' | 'dateWrong'> {
  readonly stored: NotarialAct
  /** Takes back what is said about a field that changes. */
  readonly clear: (field: ActField) => void
}

/** Saves what is typed: after a pause, when a field is left, and when the form is. */
function useSaves({ draft, act, typed, save, onNews }: SavesOptions): Saves {
  const [stored, setStored] = useState(act)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)
  const [dateWrong, setDateWrong] = useState(false)
  const saved = textOf(actOf(typed)) === textOf(stored)

  const [seen, setSeen] = useState(textOf(act))
  // What was saved here is stored before the page has read it again. Anything else was changed in another window.
  const isOwn = textOf(act) === textOf(stored)
  if (seen !== textOf(act) && (isOwn || !saving)) {
    setSeen(textOf(act))
    if (!isOwn) {
      onNews(stored, act)
      setStored(act)
      // A save whose answer was lost may have arrived.
      if (textOf(actOf(following(typed, typed, stored, act))) === textOf(act)) setFailure(null)
    }
  }

  const latest = useRef({ typed, stored, save })
  useEffect(() => {
    latest.current = { typed, stored, save }
  })

  async function send() {
    const { typed: now, stored: known, save: store } = latest.current
    const isDateWrong = !WHOLE_DATE.test(now.date)
    setDateWrong(isDateWrong)
    // A wrong date does not keep the other fields from being saved.
    const wanted = isDateWrong ? { ...actOf(now), date: known.date } : actOf(now)
    if (textOf(wanted) === textOf(known)) {
      setFailure(null)
      return
    }
    const refusal = refusalOfCards(wanted)
    if (refusal) {
      setFailure(refusal)
      return
    }
    setSaving(true)
    try {
      const answer = await store(wanted)
      latest.current.stored = answer
      // The form may be gone already, and must not bring back later what another window has changed since.
      if (textOf(answer) === textOf(actOf(latest.current.typed))) forgetDraft(draft)
      setStored(answer)
      setFailure(null)
    } catch (error) {
      // The payments were ordered in another window. The client's next ones belong to another act.
      if (error instanceof Refusal && error.key === 'cart_group_empty') forgetDraft(draft)
      setFailure(error instanceof Error ? error : new Error('act not saved'))
    }
    setSaving(false)
  }

  const flush = useSavesInTurn(send, typed, saved)
  const clear = (field: ActField) => {
    setFailure(null)
    if (field === 'date') setDateWrong(false)
  }
  return { flush, clear, stored, saving, saved, failure, dateWrong }
}

/**
 * Returns a function that sends once the sends before have ended. It is also called after a pause, and when the form is left. A payment
 * waits for all of them.
 */
function useSavesInTurn(send: () => Promise<void>, typed: TypedAct, saved: boolean): () => void {
  const sending = useRef<Promise<void>>(Promise.resolve())
  const flush = () => {
    sending.current = trackSave(sending.current.then(send))
  }
  const flushLater = useRef(flush)
  useEffect(() => {
    flushLater.current = flush
  })
  useEffect(() => {
    if (saved) return undefined
    const timer = setTimeout(() => flushLater.current(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed, saved])
  // Left without leaving the field first, for instance by the keyboard.
  useEffect(() => () => flushLater.current(), [])
  return flush
}
