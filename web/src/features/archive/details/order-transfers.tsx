import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'

import type { OrderDetails } from '@/api/order-details'
import { civilDate } from '@/lib/dates'
import { groupIban } from '@/lib/iban'
import { fromHryvnias } from '@/lib/money'
import { RecordCell, RecordRow, RecordTable } from '@/ui/record-table'
import { Sheet } from '@/ui/sheet'
import { SlashedName } from '@/ui/slashed-name'
import { StatusMark, type StatusTone } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'

type Transfer = OrderDetails['transfers'][number]

const looks: Record<Transfer['status'], { readonly tone: StatusTone; readonly text: MessageDescriptor }> = {
  planned: { tone: 'waiting', text: msg`Очікує передачі банку` },
  sent: { tone: 'waiting', text: msg`Надіслано` },
  credited: { tone: 'success', text: msg`Зараховано` },
  returned: { tone: 'failure', text: msg`Повернено банком` },
  disputed: { tone: 'waiting', text: msg`Перевіряється в банку` },
  called_off: { tone: 'neutral', text: msg`Скасовано до передачі банку` },
}

/** The transfers of an order in brief; their own page, to which the order's file leads, says what can be done about them. */
export function OrderTransfers({ transfers }: { readonly transfers: readonly Transfer[] }) {
  const { t, i18n } = useLingui()
  return (
    <Sheet heading={<Trans>Перекази</Trans>}>
      <RecordTable
        dense
        caption={t`Перекази`}
        columns={[
          { label: t`Номер` },
          { label: t`Отримувач`, wide: true },
          { label: t`Сума`, align: 'end' },
          { label: t`Статус` },
        ]}
      >
        {transfers.map((transfer) => {
          const look = looks[transfer.status]
          return (
            <RecordRow key={transfer.document_number}>
              <RecordCell label={t`Номер`}>{transfer.document_number}</RecordCell>
              <RecordCell label={t`Отримувач`}>
                <SlashedName name={transfer.recipient_name} />
                <span className="block text-ink-soft wrap-anywhere">
                  {transfer.okpo}, {groupIban(transfer.iban)}
                </span>
              </RecordCell>
              <RecordCell label={t`Сума`} align="end">
                <Sum value={fromHryvnias(transfer.amount)} className="font-semibold" />
              </RecordCell>
              <RecordCell label={t`Статус`} className="@2xl:whitespace-nowrap">
                <StatusMark tone={look.tone}>{i18n._(look.text)}</StatusMark>
                {transfer.status === 'called_off' && (
                  <span className="mt-1 block text-ink-soft">
                    <Trans>Кошти повернено на картку</Trans>
                  </span>
                )}
                {transfer.on !== null && (
                  <span className="mt-1 block text-ink-soft">{civilDate(transfer.on)}</span>
                )}
              </RecordCell>
            </RecordRow>
          )
        })}
      </RecordTable>
    </Sheet>
  )
}
