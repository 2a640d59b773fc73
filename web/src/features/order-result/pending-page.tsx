import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { loadOrderStatus, orderQuery, type Order } from '@/api/orders'
import { failureText } from '@/i18n/message-texts'
import { externalUrl } from '@/lib/external-url'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

import { BoundOrder, loadResult } from './bound-order'
import { OrderDocument } from './order-document'

export const loader = loadResult

/** The recheck of a pending order (specification, point 9), and how rare it becomes for one that takes long. */
const RECHECK_MS = 5000
const RECHECK_MAX_MS = 60_000

function recheckAfter(timesAsked: number): number {
  return Math.min(RECHECK_MS * 1.3 ** Math.max(timesAsked - 1, 0), RECHECK_MAX_MS)
}

/** The order may still be paid: asks again by itself and leads to the result as soon as there is one. */
export default function PendingPage() {
  return (
    <BoundOrder page="pending" refetchInterval={recheckAfter}>
      {(order) => <PendingOrder order={order} />}
    </BoundOrder>
  )
}

function PendingOrder({ order }: { readonly order: Order }) {
  const address = order.status === 'pending' ? externalUrl(order.widget_url) : null
  return (
    <OrderDocument
      order={order}
      title={<Trans>Оплата обробляється</Trans>}
      actions={<PendingActions order={order} />}
    >
      <Notice tone="warn" title={<Trans>Не сплачуйте вдруге</Trans>}>
        <p>
          <Trans>Чекаємо на відповідь банку. Сторінка оновиться сама, щойно вона буде.</Trans>
        </p>
        {address !== null && (
          <p>
            <Trans>
              Якщо ви закрили сторінку банку, не ввівши картки,{' '}
              <a href={address} target="_blank" rel="noopener noreferrer" className="link">
                поверніться до неї
              </a>
              : це той самий платіж.
            </Trans>
          </p>
        )}
      </Notice>
    </OrderDocument>
  )
}

function PendingActions({ order }: { readonly order: Order }) {
  const { i18n } = useLingui()
  const queryClient = useQueryClient()
  const { queryKey } = orderQuery(order.id)
  const check = useMutation({
    mutationFn: async () => {
      // Fails where the bank or the server is silent; the order read by itself would show its old status without a word.
      await loadOrderStatus(order.id)
      await queryClient.refetchQueries({ queryKey })
    },
  })
  return (
    <>
      {check.error !== null && (
        <Notice tone="error" title={<Trans>Перевірити не вдалося</Trans>}>
          {failureText(check.error, i18n)}
        </Notice>
      )}
      <div className="actions">
        <Link to="/archive" className={buttonClass({ variant: 'primary' })}>
          <Trans>До архіву</Trans>
        </Link>
        <Button icon="refresh" loading={check.isPending} onClick={() => check.mutate()}>
          <Trans>Перевірити зараз</Trans>
        </Button>
      </div>
    </>
  )
}
