import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { mendName, type MendedName } from '@/lib/person-name'
import { Button } from '@/ui/button'

import type { BookPartProps } from './book-part'
import { ClientOffers } from './client-offers'

/** What the address book does at the field of the name: offers clients, and mends what was typed. */
export function NameBook({ inputId, values, onChange, onTake }: BookPartProps) {
  const [mended, setMended] = useState<MendedName | null>(null)
  const { clientName, nameAsTyped } = values

  function mend() {
    if (clientName === nameAsTyped) return
    const next = mendName(clientName)
    if (next.typed !== clientName || next.name !== clientName) onChange({ clientName: next.name })
    // Single spaces are kept by every name, so they are no news.
    if (next.typed !== next.name) setMended(next)
  }

  return (
    <>
      <ClientOffers inputId={inputId} text={clientName} onTake={onTake} onLeave={mend} />
      {mended !== null && mended.name === clientName && (
        <div
          role="status"
          className="col-span-full flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm text-caution"
        >
          <p className="min-w-0 break-words">
            <Trans>Виправлено апостроф або латинські літери. Було введено: {mended.typed}</Trans>
          </p>
          <Button
            size="small"
            onClick={() => {
              onChange({ clientName: mended.typed, nameAsTyped: mended.typed })
              // The pressed button disappears, so the field takes the focus.
              document.querySelector<HTMLElement>(`#${CSS.escape(inputId)}`)?.focus()
            }}
          >
            <Trans>Залишити, як введено</Trans>
          </Button>
        </div>
      )}
    </>
  )
}
