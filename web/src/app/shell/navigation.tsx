import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { asksNotary, unfinishedQuery } from '@/api/unfinished'
import { Icon } from '@/ui/icons'

interface NavigationProps {
  /** Called when a link is followed, to close the menu. */
  readonly onFollow?: () => void
}

/** The main navigation: a sidebar on a wide page, in the menu on a narrow one. */
export function Navigation({ onFollow }: NavigationProps) {
  const { t } = useLingui()
  const unfinished = useQuery(unfinishedQuery()).data?.filter(asksNotary).length ?? 0
  const countId = useId()
  const places = [
    { to: '/', label: t`Новий платіж`, icon: 'plus' },
    { to: '/deal', label: t`Розрахунок платежів`, icon: 'sheet' },
    { to: '/sheet', label: t`Платежі з таблиці`, icon: 'table' },
    { to: '/archive', label: t`Архів`, icon: 'archive' },
    { to: '/cart', label: t`Кошик`, icon: 'cart' },
    { to: '/me', label: t`Профіль`, icon: 'person' },
  ] as const
  return (
    <nav aria-label={t`Розділи`} className="flex flex-col gap-0.5">
      {places.map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to}
          aria-describedby={to === '/archive' && unfinished > 0 ? countId : undefined}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          {...(onFollow && { onClick: onFollow })}
          className="-ml-3 flex min-h-11 items-center gap-3 rounded-r-md border-l-2 border-transparent px-3 text-ink-soft no-underline hover:bg-inset hover:text-ink aria-[current=page]:border-seal aria-[current=page]:font-semibold aria-[current=page]:text-ink"
        >
          <Icon name={icon} className="shrink-0" />
          {label}
          {to === '/archive' && unfinished > 0 && (
            <span
              aria-hidden="true"
              data-count={unfinished}
              className="ml-auto flex h-5 min-w-5 items-center justify-center rounded-full bg-caution px-1.5 text-[0.75rem] font-semibold text-sheet tabular-nums before:content-[attr(data-count)]"
            />
          )}
        </Link>
      ))}
      {/* A description, so that the link keeps its name. */}
      <span id={countId} hidden>
        {t`Потребують вас: ${unfinished}`}
      </span>
    </nav>
  )
}
