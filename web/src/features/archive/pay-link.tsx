import { Trans } from '@lingui/react/macro'

import type { Order } from '@/api/orders'
import { paymentStateOf } from '@/api/payment-state'
import { externalUrl } from '@/lib/external-url'
import { beginOwnPayment } from '@/lib/own-payments'
import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { buttonClass } from '@/ui/button'
import { Icon } from '@/ui/icons'

/** Leads to the bank's page of an order that waits for its payer. The page takes the whole order, not one payment alone. */
export function PayLink({ order }: { readonly order: Order }) {
  const sum = formatHryvnias(fromHryvnias(order.sum), useLocale())
  const address = paymentStateOf(order) === 'waiting' ? externalUrl(order.widget_url) : null
  if (address === null) return null
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      onClick={() => beginOwnPayment(order.id)}
      className={buttonClass({ size: 'small' })}
    >
      <span data-word="">
        <Icon name="external" size={18} className="shrink-0" />
      </span>
      <Trans>
        Сплатити <span data-word="">{sum}</span>
      </Trans>
    </a>
  )
}
