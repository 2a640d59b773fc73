import { loadOrder } from '@/api/orders'
import type { SavedCard } from '@/api/saved-cards'
import { wait } from '@/lib/wait'

import { createOnlyOrder, type PaidGroup } from './create-order'
import { payOutcomeOf } from './outcome'
import { stateOf, type KnownOrder, type PayAllRow } from './pay-all-rows'
import { endPayIntent, isPayIntentOpen } from './pay-intent'

/** How long, and how often, the outcome of one order is waited for. */
const LOOK_AGAIN_MS = 5000
const LOOKS_MAX = 6

/** Whether the bank may soon tell more. */
function isAwaited(order: KnownOrder): boolean {
  const state = stateOf(order)
  return state.kind === 'open' && state.reason === 'payment_outcome_unknown'
}

/** Waits for the outcome of an order that the bank has taken. */
async function outcomeOf(order: KnownOrder): Promise<KnownOrder> {
  let known = order
  for (let look = 0; look < LOOKS_MAX && isAwaited(known); look += 1) {
    // One look after the other.
    // oxlint-disable-next-line no-await-in-loop
    await wait(LOOK_AGAIN_MS)
    try {
      // oxlint-disable-next-line no-await-in-loop
      known = await loadOrder(order.id, true)
    } catch {
      // It stays open, and is asked about again.
    }
  }
  return known
}

/** Pays one client, and returns how that ended. `put` shows every step. */
export async function payRow(
  row: PayAllRow,
  group: PaidGroup,
  card: SavedCard,
  put: (row: PayAllRow) => void,
): Promise<PayAllRow> {
  put({ ...row, state: { kind: 'paying' } })
  try {
    const { order } = await createOnlyOrder(group, { kind: 'saved-card', card }, () => undefined)
    endPayIntent(group)
    put({ ...row, order, state: { kind: 'paying' } })
    const done = { ...row, order, state: stateOf(await outcomeOf(order)) }
    put(done)
    return done
  } catch (failure) {
    const refused: PayAllRow = {
      ...row,
      state: { kind: 'refused', failure, outcome: payOutcomeOf(failure, isPayIntentOpen(group)) },
    }
    put(refused)
    return refused
  }
}
