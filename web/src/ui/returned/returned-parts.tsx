import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import type { components } from '@/api/schema'
import { civilDate } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import { Notice } from '@/ui/notice'
import { SlashedName } from '@/ui/slashed-name'
import { Sum } from '@/ui/sum'

import { AfterReturn } from './after-return'

type Part = components['schemas']['ReturnedPart']

interface ReturnedPartsProps {
  readonly parts: readonly Part[]
  /** What was given back to the card before a bank had it, in hryvnias; null where nothing was. */
  readonly givenBack: number | null
  /** Returns the link to the page where it is decided what becomes of them, with a text. */
  readonly renderLink: (text: ReactNode) => ReactNode
}

/**
 * Names the parts of an order that a bank or the Treasury has sent back, with what became of them, and what was given back to the
 * card before a bank had it.
 */
export function ReturnedParts({ parts, givenBack, renderLink }: ReturnedPartsProps) {
  const isMissing = parts.some(({ after }) => after !== 'credited')
  const unsent = givenBack !== null && (
    <>
      <Sum value={fromHryvnias(givenBack)} className="font-semibold" />{' '}
      <Trans>повернено на картку до передачі банку: отримувачу не надіслано</Trans>
    </>
  )
  return (
    <Notice
      tone={isMissing || unsent ? 'error' : 'info'}
      title={
        isMissing ? (
          <Trans>Банк отримувача повернув кошти сервісу: отримувачу не зараховано</Trans>
        ) : unsent ? (
          unsent
        ) : (
          <Trans>Повернені банком кошти надіслано повторно й зараховано</Trans>
        )
      }
      actions={
        parts.some(({ after }) => after === 'undecided') &&
        renderLink(<Trans>Надіслати повторно або повернути на картку</Trans>)
      }
      className="mb-4"
    >
      <ul className="flex flex-col gap-2">
        {parts.map((part) => (
          <PartItem key={part.document_number} part={part} />
        ))}
        {isMissing && unsent && <li>{unsent}</li>}
      </ul>
      {(isMissing || unsent) && (
        <p className="mt-2">
          <Trans>
            Завантажте квитанцію ще раз: роздрукована раніше сплату повернених коштів не підтверджує.
          </Trans>
        </p>
      )}
    </Notice>
  )
}

function PartItem({ part }: { readonly part: Part }) {
  const { document_number: number } = part
  const reason = <span lang="uk">{part.reason}</span>
  const day = civilDate(part.returned_on)
  return (
    <li className="flex flex-col wrap-anywhere">
      <span>
        <Sum value={fromHryvnias(part.amount)} className="font-semibold" />{' '}
        <Trans>
          повернено {day}, переказ № {number}
        </Trans>
      </span>
      <span>
        <SlashedName name={part.recipient_name} />
      </span>
      <span>
        <Trans>Причина: {reason}</Trans>
      </span>
      <AfterReturn again={part.sent_again_as} part={part} />
    </li>
  )
}
