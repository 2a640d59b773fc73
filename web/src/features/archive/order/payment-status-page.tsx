import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { loadOrder, orderQuery } from '@/api/orders'
import { isLeaving, onStay } from '@/lib/leaving'
import { wait } from '@/lib/wait'
import { FullScreenWait } from '@/ui/full-screen-wait'
import { Spinner } from '@/ui/spinner'

import { tellNotLoaded } from './not-loaded'
import { resultPageOf } from './result-page'

/** The delay before a pending order is checked once more (specification, point 4). */
const RECHECK_MS = 5000

const orderRoute = getRouteApi('/signed-in/order/$id')

/** The page the bank returns to. Redirects by the order's status and shows only that it is checking. */
export default function PaymentStatusPage() {
  // While the browser is opening the bank's page there is nothing to decide.
  const [leaving, setLeaving] = useState(isLeaving)
  useEffect(() => (leaving ? onStay(() => setLeaving(false)) : undefined), [leaving])
  return leaving ? <Leaving /> : <Looking />
}

function Leaving() {
  return (
    <FullScreenWait title={<Trans>Переходимо на захищену сторінку оплати…</Trans>}>
      <Trans>Не закривайте вкладку: сторінка банку відкриється за мить.</Trans>
    </FullScreenWait>
  )
}

function Looking() {
  useDecision()
  return (
    <div role="status" className="flex min-h-96 flex-col items-center justify-center gap-5 text-center">
      <Spinner size={48} className="text-seal" />
      <h1 tabIndex={-1} data-page-heading="" className="text-xl font-semibold tracking-tight">
        <Trans>Перевіряємо оплату…</Trans>
      </h1>
      <p className="text-ink-soft">
        <Trans>Це займе кілька секунд. Не сплачуйте вдруге.</Trans>
      </p>
    </div>
  )
}

function useDecision() {
  const { id } = orderRoute.useParams()
  const navigate = useNavigate()
  const queryClient = useQueryClient()

  useEffect(() => {
    const left = new AbortController()

    async function decide() {
      let order = await loadOrder(id, true, left.signal)
      if (resultPageOf(order.status) === 'pending') {
        await wait(RECHECK_MS)
        if (left.signal.aborted) return
        order = await loadOrder(id, true, left.signal)
      }
      queryClient.setQueryData(orderQuery(id).queryKey, order)
      await navigate({ to: `/order/$id/${resultPageOf(order.status)}`, params: { id }, replace: true })
    }

    decide().catch(() => {
      if (left.signal.aborted) return
      tellNotLoaded()
      void navigate({ to: '/archive', replace: true })
    })
    return () => left.abort()
  }, [id, navigate, queryClient])
}
