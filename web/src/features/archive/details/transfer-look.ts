import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { OrderDetails } from '@/api/order-details'
import type { StatusTone } from '@/ui/status-mark'

export type Transfer = OrderDetails['transfers'][number]

interface TransferLook {
  readonly tone: StatusTone
  readonly text: MessageDescriptor
}

/** The states of a transfer; what asks most for the notary's eye stands first. */
const LOOKS: Record<Transfer['status'], TransferLook> = {
  returned: { tone: 'failure', text: msg`Повернено банком` },
  disputed: { tone: 'waiting', text: msg`Перевіряється в банку` },
  called_off: { tone: 'neutral', text: msg`Скасовано до передачі банку` },
  planned: { tone: 'waiting', text: msg`Очікує передачі банку` },
  sent: { tone: 'waiting', text: msg`Надіслано` },
  credited: { tone: 'success', text: msg`Зараховано` },
}

const NOTABLE: ReadonlySet<Transfer['status'] | undefined> = new Set(['returned', 'disputed', 'called_off'])

export const transferLook = ({ status }: Transfer): TransferLook => LOOKS[status]

/** Of the transfers of one payment the one that asks most for the notary's eye. What was sent again counts as it stands now. */
export function tellingTransfer(transfers: readonly Transfer[]): Transfer | undefined {
  const latest = [...new Map(transfers.map((transfer) => [transfer.role, transfer])).values()]
  const order = Object.keys(LOOKS)
  return latest.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))[0]
}

/** Whether something else became of the money than that it goes its way. */
export const isNotable = (transfer: Transfer | undefined): boolean => NOTABLE.has(transfer?.status)
