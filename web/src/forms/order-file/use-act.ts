import { useEffect, useMemo, useRef, useState } from 'react'

import { knownConfig, renewConfig } from '@/api/config'
import { Refusal } from '@/api/failure'
import { draftOf, forgetDraft, useDraft } from '@/forms/draft'
import type { NotarialAct } from '@/lib/order-file'

import {
  actDraft,
  actOf,
  following,
  isSameAct,
  isPossibleDate,
  refusalOf,
  textOf,
  typedOf,
  type ActField,
  type TypedAct,
} from './act'

/** The pause after the last keystroke before the fields are saved. */
const SAVE_AFTER_MS = 900

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
  /** The ids of the client's payments in the cart, separated by spaces; null for an order. */
  readonly items: string | null
  readonly save: (act: NotarialAct) => Promise<NotarialAct>
  /** Told of every save that a payment waits for. */
  readonly track?: ((saving: Promise<void>) => void) | undefined
}

/** The fields of a notarial act, saved as they are typed. What could not be saved stays in the fields and in a draft. */
export function useAct({ id, owner, act, items, save, track }: ActOptions): ActState {
  const draft = useMemo(() => actDraft(id), [id])
  const [opened, setOpened] = useState(act)
  const [typed, setTyped] = useState(() => {
    const kept = draftOf(draft, owner)
    return kept === null || !isSameAct(kept.items, items)
      ? typedOf(act)
      : following(kept.typed, kept.typed, kept.over, act)
  })
  const onNews = (from: NotarialAct, to: NotarialAct) => {
    setTyped(following(typed, typed, from, to))
    setOpened((current) => actOf(following(typedOf(current), typed, from, to)))
  }
  const { clear, stored, ...saves } = useSaves({ draft, act, typed, save, track, onNews })
  const kept = useMemo(
    () => (saves.saved ? null : { typed, over: stored, items }),
    [saves.saved, typed, stored, items],
  )
  useDraft(draft, owner, kept)
  const [of, setOf] = useState(items)
  if (of !== items) {
    setOf(items)
    if (!isSameAct(of, items)) {
      setTyped(typedOf(act))
      setOpened(act)
      clear('date')
    }
  }
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

interface SavesOptions extends Pick<ActOptions, 'act' | 'save' | 'track'> {
  readonly draft: ReturnType<typeof actDraft>
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
function useSaves({ draft, act, typed, save, track, onNews }: SavesOptions): Saves {
  const [stored, setStored] = useState(act)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)
  const [dateWrong, setDateWrong] = useState(false)
  const saved = textOf(actOf(typed)) === textOf(stored)

  useNews(act, stored, saving, () => {
    onNews(stored, act)
    setStored(act)
    // A save whose answer was lost may have arrived.
    if (textOf(actOf(following(typed, typed, stored, act))) === textOf(act)) setFailure(null)
  })

  const latest = useRef({ typed, stored, save })
  useEffect(() => {
    latest.current = { typed, stored, save }
  })

  async function send() {
    const { typed: now, stored: known, save: store } = latest.current
    const read = actOf(now)
    const isDateWrong = !isPossibleDate(read.date)
    setDateWrong(isDateWrong)
    // A wrong date does not keep the other fields from being saved.
    const wanted = isDateWrong ? { ...read, date: known.date } : read
    if (textOf(wanted) === textOf(known)) {
      setFailure(null)
      return
    }
    const refusal = refusalOf(wanted, known, knownConfig()?.register_number ?? null)
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
      setFailure(error instanceof Error ? error : new Error('act not saved'))
      // The rule of the installation has changed since the page was loaded.
      if (error instanceof Refusal && error.errors['register_number'] !== undefined)
        renewConfig().catch(() => undefined)
    }
    setSaving(false)
  }

  const flush = useSavesInTurn(send, track, typed, saved)
  const clear = (field: ActField) => {
    setFailure(null)
    if (field === 'date') setDateWrong(false)
  }
  return { flush, clear, stored, saving, saved, failure, dateWrong }
}

/** Calls `onNews` once for an act that was changed in another window. */
function useNews(act: NotarialAct, stored: NotarialAct, saving: boolean, onNews: () => void) {
  const [seen, setSeen] = useState(textOf(act))
  // What was saved here is stored before the page has read it again.
  const isOwn = textOf(act) === textOf(stored)
  if (seen === textOf(act) || (saving && !isOwn)) return
  setSeen(textOf(act))
  if (!isOwn) onNews()
}

/** Returns a function that sends once the sends before have ended. It is also called after a pause, and when the form is left. */
function useSavesInTurn(
  send: () => Promise<void>,
  track: SavesOptions['track'],
  typed: TypedAct,
  saved: boolean,
): () => void {
  const sending = useRef<Promise<void>>(Promise.resolve())
  const flush = () => {
    sending.current = sending.current.then(send)
    track?.(sending.current)
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
