import { pendingAskedAgainAfter } from './ask-again'
import { BoundOrder, loadResult } from './bound-order'
import { PendingOrder } from './pending-order'

export const loader = loadResult

/** The result of a pending order. Polls it and redirects as soon as it is final. */
export default function PendingPage() {
  return (
    <BoundOrder page="pending" askAgainAfter={pendingAskedAgainAfter}>
      {(order) => <PendingOrder order={order} place="result" />}
    </BoundOrder>
  )
}
