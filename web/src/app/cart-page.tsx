import { loadCatalog } from '@/i18n/i18n'
import { Cart, loadCart } from '@/features/cart/cart'
import { Checkout } from '@/features/checkout/checkout'
import { catalogs } from './catalogs'

/** Loads the messages of the checkout along with the cart's data. */
export async function loader(): Promise<void> {
  await Promise.all([loadCart(), loadCatalog(catalogs.checkout)])
}

/** Composes the cart and the checkout, which do not import each other. */
export default function CartPage() {
  return <Checkout>{(renderPay) => <Cart renderPay={renderPay} />}</Checkout>
}
