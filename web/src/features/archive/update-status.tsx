import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import type { OrderList } from '@/api/order-cache'
import { loadOrderStatus, ordersKey, type Order } from '@/api/orders'
import { FailedLine } from '@/forms/failed'
import { orderLook } from '@/lib/order-status'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'

import { withStatus } from './merge-status'

/** A button that asks the bank for the status, which the row shows. */
export function UpdateStatus({ order }: { readonly order: Order }) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const { number } = order
  const update = useMutation({
    mutationFn: () => loadOrderStatus(order.id),
    onSuccess: (answer) => {
      queryClient.setQueriesData<OrderList>(
        { queryKey: ordersKey.lists },
        (data) => data && withStatus(data, order.id, answer),
      )
      void queryClient.invalidateQueries({ queryKey: [...ordersKey.pages, order.id] })
      const status = i18n._(orderLook(answer).text)
      announce(t`Замовлення № ${number}: ${status}`)
    },
  })
  return (
    <div className="flex flex-col items-start gap-1">
      <Button
        size="small"
        icon="refresh"
        loading={update.isPending}
        aria-label={t`Оновити статус замовлення № ${number}`}
        title={t`Оновити статус замовлення № ${number}`}
        onClick={() => update.mutate()}
      >
        <span data-word="">
          <Trans>Оновити статус</Trans>
        </span>
      </Button>
      <FailedLine failure={update.error} className="text-sm" />
    </div>
  )
}
