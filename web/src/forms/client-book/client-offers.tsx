import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'

import { offeredClientsQuery, type BookClient } from '@/api/client-search'
import { usePausedText } from '@/lib/use-paused-text'
import { cx } from '@/ui/cx'
import { announce } from '@/ui/live-region'

import { lineId, useCombobox } from './use-combobox'

/** The pause in the typing after which clients are looked for. */
const PAUSE_MS = 200

interface ClientOffersProps {
  readonly inputId: string
  readonly text: string
  readonly onTake: (client: BookClient) => void
  /** Called when the field is left, or Enter is pressed in it. */
  readonly onLeave: () => void
}

/** The known clients who fit what is typed into a field, as a list under it. */
export function ClientOffers({ inputId, text, onTake, onLeave }: ClientOffersProps) {
  const { t } = useLingui()
  const listId = useId()
  const paused = usePausedText(text.trim(), PAUSE_MS)
  const list = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState(false)
  const found = useQuery({
    ...offeredClientsQuery(paused),
    enabled: wanted,
    placeholderData: keepPreviousData,
  })
  const clients = (found.data ?? []).filter(
    // What stands in the field already is not offered.
    ({ inn, full_name: name }) => text === '' || (text !== inn && text !== name),
  )
  const combobox = useCombobox({
    inputId,
    listId,
    count: clients.length,
    onTake: (index) => {
      const client = clients[index]
      if (client !== undefined) onTake(client)
    },
    onLeave,
  })
  if (combobox.wanted !== wanted) setWanted(combobox.wanted)
  const { open, active } = combobox
  const count = clients.length

  useEffect(() => {
    if (open)
      announce(
        plural(count, {
          one: '# клієнт у довіднику',
          few: '# клієнти в довіднику',
          many: '# клієнтів у довіднику',
          other: '# клієнта в довіднику',
        }),
      )
  }, [open, count])
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  useLayoutEffect(() => {
    const shown = list.current
    const field = document.querySelector(`#${CSS.escape(inputId)}`)
    if (!open || shown === null || field === null) return
    const around = shown.offsetParent?.getBoundingClientRect().top ?? 0
    shown.style.top = `${field.getBoundingClientRect().bottom - around + 4}px`
  }, [open, inputId])

  if (!open) return null
  return (
    <div
      ref={list}
      id={listId}
      role="listbox"
      aria-label={t`Клієнти з довідника`}
      className="absolute inset-x-0 z-20 max-h-72 overflow-y-auto rounded-md border border-edge bg-sheet py-1 shadow-lg"
    >
      {clients.map((client, index) => (
        // The keyboard chooses in the input, which keeps the focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={client.id}
          id={lineId(listId, index)}
          role="option"
          aria-selected={index === active}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            onTake(client)
            combobox.close()
          }}
          className={cx(
            'flex min-h-11 cursor-pointer flex-wrap items-center justify-between gap-x-3 px-3.5 py-1.5 hover:bg-seal-wash',
            index === active && 'bg-seal-wash',
          )}
        >
          <span className="min-w-0 break-words">{client.full_name}</span>
          <span className="text-sm text-ink-soft tabular-nums">{client.inn}</span>
        </div>
      ))}
    </div>
  )
}
