import { Link } from '@tanstack/react-router'

import { loadCatalog } from '@/i18n/i18n'
import type { FiledOrder } from '@/lib/order-file'
import { buttonClass } from '@/ui/button'
import { returnedCatalog } from '@/ui/returned/catalog'
import { ReturnedParts } from '@/ui/returned/returned-parts'

/** What of an order was returned or given back, with the link to its transfers. */
function PartsOfOrder({ order: { id, returned, given_back } }: { readonly order: FiledOrder }) {
  return (
    <ReturnedParts
      parts={returned}
      givenBack={given_back}
      renderLink={(text) => (
        <Link to="/order/$id/transfers" params={{ id }} className={buttonClass()}>
          {text}
        </Link>
      )}
    />
  )
}

/** Loads the notice of what was returned or given back, with its texts. Orders without any load nothing of it. */
export async function load(): Promise<typeof PartsOfOrder> {
  await loadCatalog(returnedCatalog)
  return PartsOfOrder
}
