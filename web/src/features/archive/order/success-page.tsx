import { BoundOrder, loadResult } from './bound-order'
import { PaidOrder } from './paid-order'

export const loader = loadResult

/** The order is paid: its sum, its receipts, and what to do next. */
export default function SuccessPage() {
  return <BoundOrder page="success">{(order) => <PaidOrder order={order} place="result" />}</BoundOrder>
}
