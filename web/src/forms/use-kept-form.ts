import { useMemo, useState } from 'react'

import { draftOf, forgetDraft, useDraft, type DraftKey } from './draft'
import type { FormOptions } from './form-options'
import { useForm, type Form } from './use-form'

/** Returns what was stored if it has exactly the fields of these values, all of them texts; otherwise null. */
function readTexts<Values extends object>(stored: unknown, initial: Values): Values | null {
  if (typeof stored !== 'object' || stored === null) return null
  const texts = new Map(Object.entries(stored))
  const names = Object.keys(initial)
  const isWhole = texts.size === names.length && names.every((name) => typeof texts.get(name) === 'string')
  return isWhole ? (stored as Values) : null
}

/** What is kept of a form. */
interface Kept<Values> {
  readonly values: Values
  /** What the form was opened with. */
  readonly over: Values
}

function readKept<Values extends object>(stored: unknown, initial: Values): Kept<Values> | null {
  // An earlier version of the page kept the values alone.
  const alone = readTexts(stored, initial)
  if (alone !== null) return { values: alone, over: initial }
  if (typeof stored !== 'object' || stored === null || !('values' in stored) || !('over' in stored))
    return null
  const [values, over] = [readTexts(stored.values, initial), readTexts(stored.over, initial)]
  return values === null || over === null ? null : { values, over }
}

const namesOf = <Values extends object>(values: Values) => Object.keys(values) as (keyof Values)[]

const differ = <Values extends object>(some: Values, others: Values) =>
  namesOf(others).some((name) => some[name] !== others[name])

/** What was typed, over what the form is opened with now: the other fields follow that. */
function typedOver<Values extends object>({ values, over }: Kept<Values>, initial: Values): Values {
  const typed = namesOf(initial).filter((name) => values[name] !== over[name])
  return { ...initial, ...Object.fromEntries(typed.map((name) => [name, values[name]])) }
}

/** What was typed earlier and has come back. */
interface Continued {
  /** What the form is opened with has changed since. */
  readonly isOverOlder: boolean
  /** Sets the fields to what the form is opened with. */
  readonly giveUp: () => void
}

export interface KeptForm<Values, Request> extends Form<Values, Request> {
  /** Null where nothing has come back. */
  readonly continued: Continued | null
  /** Forgets what was typed; for when the form is then closed. */
  readonly forget: () => void
}

/** A form of texts. What was typed outlasts a reload, until it is sent. */
export function useKeptForm<Values extends { readonly [Name in keyof Values]: string }, Request, Answer>(
  owner: string,
  options: FormOptions<Values, Request, Answer>,
): KeptForm<Values, Request> {
  const { name } = options
  const [initial] = useState(options.initial)
  const [draft] = useState((): DraftKey<Kept<Values>> => ({
    name: `draft ${name}`,
    read: (stored) => readKept(stored, initial),
    asksBeforeLeaving: true,
  }))
  const [before, setBefore] = useState(() => draftOf(draft, owner))
  const form = useForm<Values, Request, Answer>({
    ...options,
    initial: () => (before === null ? initial : typedOver(before, initial)),
    submit: async (request, values) => {
      const answer = await options.submit(request, values)
      forgetDraft(draft)
      return answer
    },
  })
  const { values } = form
  const isChanged = differ(values, initial)
  const kept = useMemo(() => (isChanged ? { values, over: initial } : null), [isChanged, values, initial])
  useDraft(draft, owner, kept)
  const continued = before && {
    isOverOlder: differ(before.over, initial),
    giveUp: () => {
      form.reset(initial)
      setBefore(null)
    },
  }
  return { ...form, continued, forget: () => forgetDraft(draft) }
}
