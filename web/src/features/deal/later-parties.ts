import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent } from 'react'

import type { openQuestion } from '@/forms/client-book/client'
import { later, loadWhatFailed } from '@/lib/later'
import { whenIdle } from '@/lib/when-idle'

import type { Asked } from './parties'
import type { DealPayer } from './payers'
import type { DealForm } from './use-deal'
import { clientOf } from './values'

let findQuestion: typeof openQuestion | null = null

/** Loads the fields of the parties with their texts. Nobody sees them before the payments are calculated. */
async function loadParties() {
  const { Parties: Fields, loadTexts, openQuestion: find } = await import('./parties')
  await loadTexts()
  findQuestion = find
  return Fields
}

export const Parties = later(loadParties)

// Neither is there before the parties are.
export const Elsewhere = later(async () => (await import('./parties')).Elsewhere)
export const Unanswered = later(async () => (await import('./parties')).Unanswered)

/** What the parties ask for before the form is sent: that they are shown, and whose client another name is known for. */
export function useParties(form: DealForm, payers: readonly DealPayer[]) {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [shown, setShown] = useState(false)
  useEffect(() => whenIdle(() => void loadParties().then(loadWhatFailed, () => undefined)), [])
  return {
    asked,
    /** The fields are still being loaded. */
    waiting: payers.length > 0 && !shown,
    onShown: () => setShown(true),
    submit: (event: FormEvent) => {
      const party = payers.find((each) => findQuestion?.(queryClient, clientOf(form.values, each)))
      if (party === undefined) return form.submit(event)
      event.preventDefault()
      setAsked((last) => ({ party, times: (last?.times ?? 0) + 1 }))
    },
  }
}
