import { unpaidAskedAgainAfter } from './ask-again'
import { BoundOrder, loadResult } from './bound-order'
import { UnpaidOrder } from './unpaid-order'

export const loader = loadResult

/** The result of an unpaid or refunded order: whether money was charged, why, and what to do next. */
export default function ErrorPage() {
  return (
    <BoundOrder page="error" askAgainAfter={unpaidAskedAgainAfter}>
      {(order) => <UnpaidOrder order={order} place="result" />}
    </BoundOrder>
  )
}
