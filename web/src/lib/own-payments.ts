/**
 * The orders that the notary has begun to pay herself, in any tab of this browser, so that no tab takes her payment for her client's.
 * Nothing of it is stored.
 */
const orders = new Set<string>()

const tabs = new BroadcastChannel('cabinet.own-payments')
tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (typeof data === 'string') orders.add(data)
})

/** To be called before the bank is asked, or its page is opened. */
export function beginOwnPayment(orderId: string): void {
  orders.add(orderId)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  tabs.postMessage(orderId)
}

export const isOwnPayment = (orderId: string): boolean => orders.has(orderId)
