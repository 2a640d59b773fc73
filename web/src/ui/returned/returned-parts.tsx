import { Trans } from '@lingui/react/macro'

import type { components } from '@/api/schema'
import { civilDate } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import { Notice } from '@/ui/notice'
import { SlashedName } from '@/ui/slashed-name'
import { Sum } from '@/ui/sum'

interface ReturnedPartsProps {
  readonly parts: components['schemas']['Order']['returned']
}

/** Names the parts of an order that a bank or the Treasury has sent back, with sum, day and reason. */
export function ReturnedParts({ parts }: ReturnedPartsProps) {
  return (
    <Notice tone="error" title={<Trans>Банк повернув частину платежу</Trans>} className="mb-4">
      <ul className="flex flex-col gap-2">
        {parts.map(({ document_number: number, amount, returned_on, recipient_name, reason }) => {
          const day = civilDate(returned_on)
          return (
            <li key={number} className="flex flex-col wrap-anywhere">
              <span>
                <Sum value={fromHryvnias(amount)} className="font-semibold" />{' '}
                <Trans>
                  повернено {day}, переказ № {number}
                </Trans>
              </span>
              <span>
                <SlashedName name={recipient_name} />
              </span>
              <span>
                <Trans>Причина: {reason}</Trans>
              </span>
            </li>
          )
        })}
      </ul>
      <p className="mt-2">
        <Trans>
          Отримувач цих коштів не має. Завантажте квитанцію ще раз: роздрукована раніше сплату цієї частини не
          підтверджує.
        </Trans>
      </p>
    </Notice>
  )
}
