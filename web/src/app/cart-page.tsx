import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog } from '@/i18n/i18n'
import { Cart, loadCart } from '@/features/cart/cart'
import { Checkout } from '@/features/checkout/checkout'
import { catalogs } from './catalogs'
import { Unfinished } from './shell/unfinished'

/** Loads the messages of the checkout and of accounts along with the cart's data. */
export async function loader(): Promise<void> {
  await Promise.all([loadCart(), loadCatalog(catalogs.checkout), loadCatalog(accountTexts)])
}

/** Composes the cart and the checkout, which do not import each other. */
export default function CartPage() {
  return (
    <>
      <Unfinished />
      <Checkout>
        {(renderPay, renderPayAll, renderLink) => (
          <Cart renderPay={renderPay} renderPayAll={renderPayAll} renderLink={renderLink} />
        )}
      </Checkout>
    </>
  )
}
