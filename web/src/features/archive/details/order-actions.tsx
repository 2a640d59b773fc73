import type { ReactNode } from 'react'

interface OrderActionsProps {
  /** What the status of the order offers: its receipts, or the way to pay it. */
  readonly children: ReactNode
}

/** What can be done with an order, in its opened row. A new action is one component among its children. */
export function OrderActions({ children }: OrderActionsProps) {
  return <div className="flex flex-wrap items-start gap-3">{children}</div>
}
