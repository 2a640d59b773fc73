import { Link } from '@tanstack/react-router'

import { loadCatalog } from '@/i18n/i18n'
import type { FiledOrder } from '@/lib/order-file'
import { buttonClass } from '@/ui/button'
import { returnedCatalog } from '@/ui/returned/catalog'
import { ReturnedParts } from '@/ui/returned/returned-parts'

/** The returned parts of an order, with the link to its transfers. */
function PartsOfOrder({ order: { id, returned } }: { readonly order: FiledOrder }) {
  return (
    <ReturnedParts
      parts={returned}
      renderLink={(text) => (
        <Link to="/order/$id/transfers" params={{ id }} className={buttonClass()}>
          {text}
        </Link>
      )}
    />
  )
}

/** Loads the notice of returned parts with its texts. Orders without any load nothing of it. */
export async function load(): Promise<typeof PartsOfOrder> {
  await loadCatalog(returnedCatalog)
  return PartsOfOrder
}
