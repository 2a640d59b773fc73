import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'

import type { BookClient } from '@/api/client-search'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'

import type { BookPartProps } from './book-part'
import { apartMark, nameToStore } from './client'

interface NameQuestionProps extends Omit<BookPartProps, 'inputId'> {
  /** The client who is known by the code. */
  readonly other: BookClient
  readonly asked: number
  /** Called after the answer, in the same event as the change that it makes. */
  readonly onAnswered?: (() => void) | undefined
}

/** Asks whether a name that differs from the known one of the code is another client. */
export function NameQuestion({ values, other, onChange, onTake, asked, onAnswered }: NameQuestionProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (asked === 0) return
    ref.current?.focus({ preventScroll: true })
    ref.current?.scrollIntoView({ block: 'center' })
  }, [asked])
  // The pressed button disappears, so the field of the client's name takes the focus.
  const leave = () =>
    ref.current?.closest('[data-client]')?.querySelector<HTMLElement>('[data-client-name]')?.focus()
  const [stored, typed] = [other.full_name, nameToStore(values)]
  return (
    <div ref={ref} tabIndex={-1} className="col-span-full outline-offset-4">
      <Notice
        tone="warn"
        announce
        title={<Trans>За цим кодом у довіднику інше ім’я: «{stored}»</Trans>}
        actions={
          <>
            <Button
              size="small"
              onClick={() => {
                onTake(other)
                leave()
                onAnswered?.()
              }}
            >
              <Trans>Узяти «{stored}»</Trans>
            </Button>
            <Button
              size="small"
              onClick={() => {
                onChange({ keptApart: apartMark(values) })
                leave()
                onAnswered?.()
              }}
            >
              <Trans>Залишити «{typed}»</Trans>
            </Button>
          </>
        }
      >
        {asked > 0 && (
          <p className="font-semibold">
            <Trans>Щоб продовжити, виберіть ім’я.</Trans>
          </p>
        )}
        <Trans>Якщо залишити введене, у кошику буде окрема група платежів із цим ім’ям.</Trans>
      </Notice>
    </div>
  )
}
