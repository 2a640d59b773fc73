import { Fragment, type ReactNode } from 'react'
import { cx } from './cx'

export interface DescriptionItem {
  readonly term: string
  readonly description: ReactNode
}

export interface DescriptionListProps {
  readonly items: readonly DescriptionItem[]
  readonly className?: string
}

/** Requisites, one a line, as a payment instruction prints them; on a phone the term stands above. */
export function DescriptionList({ items, className }: DescriptionListProps) {
  return (
    <dl className={cx('grid gap-x-8 sm:grid-cols-[minmax(9rem,auto)_1fr]', className)}>
      {items.map(({ term, description }) => (
        <Fragment key={term}>
          <dt className="pt-2.5 text-sm text-ink-soft sm:border-b sm:border-rule sm:pb-2.5">{term}</dt>
          <dd className="min-w-0 border-b border-rule pb-2.5 sm:pt-2.5">{description}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
