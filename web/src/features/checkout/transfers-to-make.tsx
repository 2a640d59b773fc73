import { Trans, useLingui } from '@lingui/react/macro'

import type { CartTransfer } from '@/lib/cart-transfers'
import { groupIban } from '@/lib/iban'
import { fromHryvnias } from '@/lib/money'
import { SlashedName } from '@/ui/slashed-name'
import { Sum } from '@/ui/sum'

interface TransfersToMakeProps {
  readonly transfers: readonly CartTransfer[]
}

/** Who gets which part of the money, on which account and for what. It scrolls by itself, so that the button to pay stays in sight. */
export function TransfersToMake({ transfers }: TransfersToMakeProps) {
  const { t } = useLingui()
  return (
    <ul
      aria-label={t`Перекази`}
      // What scrolls must be reached by the keyboard.
      // oxlint-disable-next-line no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-[min(13rem,34dvh)] shrink-0 overflow-y-auto rounded-md border border-rule px-4"
    >
      {transfers.map(({ recipient_name: name, recipient_code: code, iban, purpose, amount }, index) => (
        // Two payments can make the same transfer.
        // oxlint-disable-next-line no-array-index-key
        <li key={index} className="border-b border-rule py-2.5 text-sm last:border-b-0">
          <div className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 font-medium wrap-anywhere">
              <SlashedName name={name} />
            </span>
            <Sum value={fromHryvnias(amount)} className="font-semibold" />
          </div>
          <div className="text-ink-soft">
            <Trans>Код {code}</Trans>, {groupIban(iban)}
          </div>
          <div lang="uk" className="wrap-anywhere text-ink-soft">
            {purpose}
          </div>
        </li>
      ))}
    </ul>
  )
}
