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

  const list = useListBelow(inputId, open, active)
  useAnnouncedCount(open, count)
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
        <Offer
          key={client.id}
          id={lineId(listId, index)}
          client={client}
          active={index === active}
          onTake={() => {
            onTake(client)
            combobox.close()
          }}
        />
      ))}
    </div>
  )
}

interface OfferProps {
  readonly id: string
  readonly client: BookClient
  readonly active: boolean
  readonly onTake: () => void
}

/** A line of the list. The field keeps the focus. */
function Offer({ id, client, active, onTake }: OfferProps) {
  return (
    // The keyboard chooses in the input.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={active}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
      className={cx(
        'flex min-h-11 cursor-pointer flex-wrap items-center justify-between gap-x-3 px-3.5 py-1.5 hover:bg-seal-wash',
        active && 'bg-seal-wash',
      )}
    >
      <span className="min-w-0 break-words">{client.full_name}</span>
      <span className="text-sm text-ink-soft tabular-nums">{client.inn}</span>
    </div>
  )
}

function useAnnouncedCount(open: boolean, count: number) {
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
}

/** Puts an open list under its input, which may stand anywhere in what the list is as wide as, and the active line in sight. */
function useListBelow(inputId: string, open: boolean, active: number) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = list.current
    const field = document.querySelector(`#${CSS.escape(inputId)}`)
    if (!open || shown === null || field === null) return
    const around = shown.offsetParent?.getBoundingClientRect().top ?? 0
    shown.style.top = `${field.getBoundingClientRect().bottom - around + 4}px`
  }, [inputId, open])
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return list
}
