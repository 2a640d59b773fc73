import { Trans, useLingui } from '@lingui/react/macro'

import type { Kopiykas } from '@/lib/money'
import { Notice } from '@/ui/notice'
import { Sum } from '@/ui/sum'

import { payerName, payerOf } from './payers'
import { paidElsewhere, type DealLine } from './values'

/** What is owed and can't be paid here, with its sum, before anybody believes that all is paid. */
export function Elsewhere({ lines, sum }: { readonly lines: readonly DealLine[]; readonly sum: Kopiykas }) {
  const { i18n } = useLingui()
  const elsewhere = paidElsewhere(lines)
  const payers = lines.map(({ payment }) => payerOf(payment))
  return (
    <Notice
      tone="warn"
      className="py-1.5 *:last:flex-row *:last:flex-wrap *:last:items-baseline *:last:gap-x-4 [&>div>div]:grow"
      title={
        <>
          <Trans>Сплачується окремо, не в кабінеті</Trans>
          {elsewhere.length > 1 && sum > 0 && (
            <>
              : <Sum value={sum} />
            </>
          )}
        </>
      }
    >
      <ul data-elsewhere className="flex flex-col gap-1">
        {elsewhere.map(({ payment, due }) => (
          <li key={payment.id} className="flex flex-wrap justify-between gap-x-6">
            <span>
              {payment.name} ({payerName(payerOf(payment), payers, i18n).toLowerCase()})
            </span>
            {due !== null && <Sum value={due} />}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
