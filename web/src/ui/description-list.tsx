import type { ReactNode } from 'react'
import { cx } from './cx'

interface DescriptionItem {
  readonly term: string
  readonly description: ReactNode
}

export interface DescriptionListProps {
  readonly items: readonly DescriptionItem[]
  /** The pairs stand side by side where there is room, in small type, each term above its value. */
  readonly inRow?: boolean
  readonly className?: string
}

/** A list of terms and values, one pair a line; on a phone the term is above the value. */
export function DescriptionList({ items, inRow = false, className }: DescriptionListProps) {
  if (inRow) {
    return (
      <dl className={cx('flex flex-wrap gap-x-5 gap-y-1 text-sm', className)}>
        {items.map(({ term, description }) => (
          <div key={term} className="min-w-0">
            <dt className="text-xs text-ink-soft">{term}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    )
  }
  return (
    <dl className={cx('grid gap-x-8 sm:grid-cols-[minmax(9rem,auto)_1fr]', className)}>
      {items.map(({ term, description }) => (
        <div
          key={term}
          className="grid items-baseline border-b border-rule py-2.5 last:border-b-0 sm:col-span-2 sm:grid-cols-subgrid"
        >
          <dt className="text-sm text-ink-soft">{term}</dt>
          <dd className="min-w-0">{description}</dd>
        </div>
      ))}
    </dl>
  )
}
