import { useState } from 'react'

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

interface KeptForm<Values, Request> extends Form<Values, Request> {
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
  const [draft] = useState((): DraftKey<Values> => ({
    name: `draft ${name}`,
    read: (stored) => readTexts(stored, initial),
    asksBeforeLeaving: true,
  }))
  const form = useForm<Values, Request, Answer>({
    ...options,
    initial: () => draftOf(draft, owner) ?? initial,
    submit: async (request, values) => {
      const answer = await options.submit(request, values)
      forgetDraft(draft)
      return answer
    },
  })
  const { values } = form
  const isChanged = (Object.keys(initial) as (keyof Values)[]).some((each) => values[each] !== initial[each])
  useDraft(draft, owner, isChanged ? values : null)
  return { ...form, forget: () => forgetDraft(draft) }
}
