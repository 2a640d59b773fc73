import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { cartCountQuery } from '@/api/cart-count'
import { Icon } from '@/ui/icons'

/** The link to the cart in the header, with the number of payments. */
export function CartLink() {
  const { t } = useLingui()
  const count = useQuery(cartCountQuery()).data ?? 0
  const payments = plural(count, {
    one: '# платіж',
    few: '# платежі',
    many: '# платежів',
    other: '# платежу',
  })
  return (
    <Link
      to="/cart"
      aria-label={count === 0 ? t`Кошик порожній` : t`Кошик: ${payments}`}
      className="relative inline-flex size-11 items-center justify-center rounded-md text-ink-soft hover:bg-inset hover:text-ink aria-[current=page]:text-seal"
    >
      <Icon name="cart" size={24} />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute -top-0.5 -right-0.5 flex h-5 min-w-5 items-center justify-center rounded-full bg-seal px-1 text-[0.75rem] font-semibold text-on-seal tabular-nums"
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  )
}
