import { msg } from '@lingui/core/macro'

import { loadClientLink } from '@/api/client-link'
import { loadOrder, type UnfinishedOrder } from '@/api/orders'
import { i18n } from '@/i18n/i18n'
import { isOwnPayment } from '@/lib/own-payments'
import { showToast } from '@/ui/toast'

/** Nobody waits for it, so it stays for as long as somebody needs who looks up from another work. */
const TOAST_MILLISECONDS = 20_000

/** The orders that were told. Several messages may come of one payment. */
const told = new Set<string>()

/** Ends once the tab is looked at; a toast in a hidden one would be over before. */
function lookedAt(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => {
    if (document.visibilityState === 'visible') resolve()
  }
  document.addEventListener('visibilitychange', look, { signal })
  look()
  return promise
}

/**
 * Runs it in one tab of this browser, the first that asks, for as long as that tab stands: windows side by side are looked at together.
 * Where it fails, another tab may.
 */
function inOneTab(name: string, run: () => Promise<void>): Promise<void> {
  // Only a secure page has locks.
  if (!('locks' in navigator)) return run()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const holding = navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock === null) return resolve()
    await run()
    resolve()
    await new Promise(() => undefined)
  })
  holding.catch(reject)
  return promise
}

/**
 * Tells once that an order that was waiting is paid, with a way to it: where somebody has opened its link, and the notary pays it herself in
 * no tab. Who has paid is not said: the bank does not tell whether it was the client.
 */
export async function tellPaidByClient(
  { id, number, client_full_name: name }: UnfinishedOrder,
  open: (orderId: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (told.has(id)) return
  told.add(id)
  async function tell() {
    const [link, order] = await Promise.all([loadClientLink(id, signal), loadOrder(id, false, signal)])
    // What was paid by QR codes is a mark of the notary herself.
    if (link.opened_at === null || link.state === 'withdrawn' || order.paid_by !== 'card') return
    // It may have been given back while nobody looked.
    if (signal.aborted || isOwnPayment(id) || order.status !== 'paid') return
    showToast({
      text: i18n._(msg`Замовлення № ${number} оплачено: ${name}`),
      action: { label: i18n._(msg`Відкрити`), onSelect: () => open(id) },
      lasts: TOAST_MILLISECONDS,
    })
  }
  try {
    await lookedAt(signal)
    await inOneTab(`cabinet.paid-by-client.${id}`, tell)
  } catch (failure) {
    told.delete(id)
    throw failure
  }
}
