import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { clientsOfCodeQuery } from '@/api/client-search'
import { usePausedText } from '@/lib/use-paused-text'
import { announce } from '@/ui/live-region'

import type { BookPartProps } from './book-part'
import { nameToStore, otherName, wholeCode } from './client'
import { ClientOffers } from './client-offers'
import { NameQuestion } from './name-question'

/** The pause after which a name counts as typed. */
const NAME_TYPED_MS = 900

interface CodeBookProps extends BookPartProps {
  /** Grows with each try to add the payment while the question is open: it takes the focus then. */
  readonly asked: number
  /** Called after the question about another name was answered. */
  readonly onAnswered?: (() => void) | undefined
}

/** What the address book does at the field of the code: offers clients, fills in the name of a known code, asks about another name. */
export function CodeBook({ inputId, values, onChange, onTake, asked, onAnswered }: CodeBookProps) {
  const { t } = useLingui()
  const { clientCode, legalEntity } = values
  const code = wholeCode(values)
  const { data: known } = useQuery({ ...clientsOfCodeQuery(code ?? ''), enabled: code !== null })

  // Eight or nine digits may be the beginning of ten, while somebody types.
  const [leftWith, setLeftWith] = useState(clientCode)
  const isWhole =
    code !== null && (leftWith === clientCode || legalEntity || code.length === 10 || /^\D/u.test(code))
  const name = nameToStore(values)
  const isTyped = usePausedText(name, NAME_TYPED_MS) === name
  const other = isWhole || asked > 0 ? otherName(values, known) : null

  // Once for each code: a name that was emptied on purpose stays empty.
  const filled = useRef<string | null>(null)
  const fill = useEffectEvent(() => {
    const [client] = known ?? []
    if (client === undefined || !isWhole || filled.current === code) return
    filled.current = code
    if (values.clientName.trim() !== '') return
    onTake(client)
    announce(t`Ім’я заповнено з довідника`)
  })
  useEffect(() => fill(), [known, isWhole])

  return (
    <>
      <ClientOffers
        inputId={inputId}
        text={clientCode}
        onTake={onTake}
        onLeave={() => setLeftWith(clientCode)}
      />
      {other !== null && (isTyped || asked > 0) && (
        <NameQuestion
          values={values}
          other={other}
          onChange={onChange}
          onTake={onTake}
          asked={asked}
          onAnswered={onAnswered}
        />
      )}
    </>
  )
}
