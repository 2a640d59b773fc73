import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Icon } from '@/ui/icons'

/** Where one can go, one list for the wide page and for the phone. */
function usePlaces() {
  const { t } = useLingui()
  return [
    { to: '/', label: t`Новий платіж`, icon: 'plus', exact: true },
    { to: '/archive', label: t`Архів`, icon: 'archive', exact: false },
    { to: '/cart', label: t`Кошик`, icon: 'cart', exact: false },
    { to: '/me', label: t`Профіль`, icon: 'person', exact: false },
  ] as const
}

/** The list at the left of a wide page. */
export function SideNavigation() {
  const { t } = useLingui()
  return (
    <nav aria-label={t`Розділи`} className="flex flex-col gap-0.5">
      {usePlaces().map(({ to, label, icon, exact }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact }}
          className="-ml-3 flex min-h-11 items-center gap-3 rounded-r-md border-l-2 border-transparent px-3 text-ink-soft no-underline hover:bg-inset hover:text-ink aria-[current=page]:border-seal aria-[current=page]:font-semibold aria-[current=page]:text-ink"
        >
          <Icon name={icon} className="shrink-0" />
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** The same at the foot of a phone, within the thumb's reach. */
export function BottomNavigation() {
  const { t } = useLingui()
  return (
    <nav
      aria-label={t`Розділи`}
      className="sticky bottom-0 z-30 grid grid-cols-4 border-t border-rule bg-sheet pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {usePlaces().map(({ to, label, icon, exact }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact }}
          className="flex min-h-15 flex-col items-center justify-center gap-0.5 border-t-2 border-transparent px-1 text-center text-xs leading-tight text-ink-soft no-underline outline-offset-[-3px] aria-[current=page]:border-seal aria-[current=page]:font-semibold aria-[current=page]:text-ink"
        >
          <Icon name={icon} size={22} />
          {label}
        </Link>
      ))}
    </nav>
  )
}
