import type { ReactNode } from 'react'
import { cx } from './cx'

export type StatusTone = 'neutral' | 'waiting' | 'success' | 'failure'

const looks: Record<StatusTone, string> = {
  neutral: 'border-edge text-ink-soft',
  waiting: 'border-caution text-caution',
  success: 'border-success text-success',
  failure: 'border-danger text-danger',
}

const dots: Record<StatusTone, string> = {
  neutral: 'border border-current',
  waiting: 'bg-current animate-breathe',
  success: 'bg-current',
  failure: 'bg-current rotate-45 rounded-none',
}

/** A status: a text and a mark. The colour adds nothing that the text does not say. */
export function StatusMark({ tone, children }: { readonly tone: StatusTone; readonly children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 rounded-sm border px-2 py-0.5 text-xs font-semibold',
        looks[tone],
      )}
    >
      <span aria-hidden="true" className={cx('size-1.5 shrink-0 rounded-full', dots[tone])} />
      {children}
    </span>
  )
}
