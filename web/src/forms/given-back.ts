import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

import { showToast } from '@/ui/toast'

import { departuresSoFar } from './draft'

/** Where the values were put: into the form on the screen, into the draft, or nowhere. */
export type PutBack = 'shown' | 'kept' | 'nowhere'

/** The form on the screen. */
let standing: { readonly id: string; readonly put: (values: never) => void } | null = null

/**
 * What gives values back that have left a form, also from another page. `id` is that of the form of one notary, `label` that of
 * the undo; `keep` takes the values while the form is not on the screen.
 */
export function useGivenBack<Values>(
  id: string,
  page: '/' | '/deal' | '/sheet',
  label: string,
  put: (values: Values) => void,
  keep: (values: Values) => void,
) {
  const navigate = useNavigate()
  const putNow = useEffectEvent(put)
  useEffect(() => {
    const form = { id, put: (values: Values) => putNow(values) }
    standing = form
    return () => {
      if (standing === form) standing = null
    }
  }, [id])

  /** Returns a function that gives the values back. After the notary has signed out it does nothing. */
  function wayBack(values: Values): () => PutBack {
    const before = departuresSoFar()
    return () => {
      if (departuresSoFar() !== before) return 'nowhere'
      if (standing?.id === id) {
        standing.put(values as never)
        return 'shown'
      }
      keep(values)
      return 'kept'
    }
  }

  /** Shows a message with an undo, which leads back to the form. */
  function offerBack(text: string, values: Values) {
    const putBack = wayBack(values)
    const onSelect = () => {
      if (putBack() === 'kept') void navigate({ to: page })
    }
    showToast({ text, action: { label, onSelect } })
  }

  return { wayBack, offerBack }
}
