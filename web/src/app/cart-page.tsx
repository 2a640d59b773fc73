import { loadCatalog } from '@/i18n/i18n'
import { Cart, loadCart } from '@/features/cart/cart'
import { Checkout } from '@/features/checkout/checkout'
import { catalogs } from './catalogs'

/** The cart brings its own messages; those of the checkout inside it come along. */
export async function loader(): Promise<void> {
  await Promise.all([loadCart(), loadCatalog(catalogs.checkout)])
}

/** The cart with the way to pay: two features that know nothing of each other, put together here. */
export default function CartPage() {
  return <Checkout>{(renderPay) => <Cart renderPay={renderPay} />}</Checkout>
}
