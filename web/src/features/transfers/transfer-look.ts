import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { OrderTransfer } from '@/api/transfers'
import type { StatusTone } from '@/ui/status-mark'

interface Look {
  readonly tone: StatusTone
  readonly text: MessageDescriptor
}

const looks: Record<OrderTransfer['status'], Look> = {
  planned: { tone: 'waiting', text: msg`Очікує передачі банку` },
  sent: { tone: 'waiting', text: msg`Надіслано отримувачу` },
  credited: { tone: 'success', text: msg`Зараховано отримувачу` },
  returned: { tone: 'failure', text: msg`Повернено банком` },
  disputed: { tone: 'waiting', text: msg`Перевіряється в банку` },
  called_off: { tone: 'neutral', text: msg`Скасовано до передачі банку` },
}

/** The words for the notary's own part, where they differ. */
const ownTexts: Partial<Record<OrderTransfer['status'], MessageDescriptor>> = {
  sent: msg`Надіслано на ваш рахунок`,
  credited: msg`Зараховано на ваш рахунок`,
}

/** How the status of a transfer is shown; the words are those of the receipt, except for the notary's own part. */
export function transferLook({ status, role }: Pick<OrderTransfer, 'status' | 'role'>): Look {
  const { tone, text } = looks[status]
  return { tone, text: (role === 'notary' ? ownTexts[status] : undefined) ?? text }
}
