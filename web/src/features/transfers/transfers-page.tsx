import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'

import { orderQuery, type OrderStatus } from '@/api/orders'
import { queryClient } from '@/api/query-client'
import { refundAllToCard, transfersQuery, type OrderTransfer } from '@/api/transfers'
import { userQuery } from '@/api/user'
import { loadCatalog } from '@/i18n/i18n'
import { formatHryvnias, fromHryvnias, total } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { PageHeading } from '@/ui/page-heading'
import { returnedCatalog } from '@/ui/returned/catalog'

import { RefundDialog } from './refund-dialog'
import { TransferSheet } from './transfer-sheet'

/** Loads the notary, the order, its transfers and the words about them. An unknown order shows "not found". */
export async function loader({
  params: { id },
}: {
  readonly params: { readonly id: string }
}): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(userQuery()),
    queryClient.fetchQuery(orderQuery(id)),
    queryClient.fetchQuery(transfersQuery(id)),
    loadCatalog(returnedCatalog),
  ])
}

const orderRoute = getRouteApi('/signed-in/order/$id')

/** The transfers of an order: how far each has come, and what to do about those that a bank has returned. */
export default function TransfersPage() {
  const { id } = orderRoute.useParams()
  const { data: notary } = useSuspenseQuery(userQuery())
  const { data: order } = useSuspenseQuery(orderQuery(id))
  const { data: transfers } = useSuspenseQuery(transfersQuery(id))
  const { number } = order
  const undecided = transfers.filter((transfer) => transfer.is_undecided)
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        caption={<Trans>Замовлення № {number}</Trans>}
        lead={
          undecided.length > 0 && (
            <Trans>
              Банк отримувача повернув кошти сервісу. Виправте реквізити й надішліть їх повторно або попросіть
              повернути на картку клієнта.
            </Trans>
          )
        }
      >
        <Trans>Перекази замовлення</Trans>
      </PageHeading>
      {undecided.length > 1 && <RefundAll orderId={id} parts={undecided} />}
      {transfers.length === 0 && (
        <Notice tone="info">
          <NoTransfers status={order.status} />
        </Notice>
      )}
      {transfers.map((transfer) => (
        <TransferSheet
          key={transfer.id}
          transfer={transfer}
          notary={notary}
          clientCode={order.client.inn}
          part={order.returned.find(
            // All of a refunded order went back: no request waits any more.
            ({ transfer_id, after }) =>
              transfer_id === transfer.id && (order.status === 'paid' || after !== 'refund_requested'),
          )}
        />
      ))}
      <div className="actions">
        <Link to="/archive" className={buttonClass()}>
          <Trans>До архіву</Trans>
        </Link>
      </div>
    </div>
  )
}

/** Why an order has no transfers. */
function NoTransfers({ status }: { readonly status: OrderStatus }) {
  switch (status) {
    case 'in_progress':
    case 'pending':
      return <Trans>Переказів ще немає: вони з’являться після оплати замовлення.</Trans>
    case 'paid':
      return <Trans>Переказів ще немає. Оновіть сторінку за кілька хвилин.</Trans>
    case 'failed':
    case 'expired':
      return <Trans>Замовлення не оплачено, тому переказів за ним немає.</Trans>
    case 'refunded':
      return <Trans>Кошти за замовленням повернено, тому переказів за ним немає.</Trans>
  }
}

interface RefundAllProps {
  readonly orderId: string
  /** The returned transfers that wait for a decision. */
  readonly parts: readonly OrderTransfer[]
}

function RefundAll({ orderId, parts }: RefundAllProps) {
  const { t } = useLingui()
  const count = parts.length
  const sum = formatHryvnias(total(parts.map(({ amount }) => fromHryvnias(amount))), useLocale())
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Button onClick={() => setOpen(true)}>
        <Trans>Повернути всі кошти на картку</Trans>
      </Button>
      <RefundDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        what={t`Переказів, які повернув банк: ${count}, разом ${sum}.`}
        refund={() => refundAllToCard(orderId)}
      />
    </div>
  )
}
