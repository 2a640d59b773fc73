import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { lateRules } from './later-parts'
import { isSame, type PaymentValues } from './values'

/** A press that may be stopped by a question about the client. It goes on by itself after the answer. */
export function useAskingPress<Given>(values: PaymentValues, send: (given: Given) => void) {
  const queryClient = useQueryClient()
  // How often it was stopped.
  const [asked, setAsked] = useState(0)
  const stopped = useRef<{ readonly values: PaymentValues; readonly given: Given } | null>(null)
  const goesOn = useRef(false)

  // Only the next render has the values with the answer.
  const goOn = useEffectEvent(send)
  useEffect(() => {
    if (!goesOn.current || stopped.current === null) return
    const { given } = stopped.current
    stopped.current = null
    goesOn.current = false
    goOn(given)
  }, [values])

  return {
    asked,
    press: (given: Given) => {
      const question = lateRules()?.openQuestion(queryClient, values) ?? null
      stopped.current = question && { values, given }
      if (question === null) send(given)
      else setAsked(asked + 1)
    },
    /** What was changed since the press is not sent by an answer. */
    answered: () => {
      goesOn.current = stopped.current !== null && isSame(stopped.current.values, values)
    },
  }
}
