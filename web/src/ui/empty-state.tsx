import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons'

export interface EmptyStateProps {
  readonly title: ReactNode
  readonly children?: ReactNode
  /** The possible next steps. */
  readonly actions?: ReactNode
  readonly icon?: IconName
}

/** Shown where there is nothing yet: why, and the next step. */
export function EmptyState({ title, children, actions, icon = 'sheet' }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-4 px-6 py-14 text-center">
      <span className="flex size-16 items-center justify-center rounded-full border border-dashed border-edge text-ink-soft">
        <Icon name={icon} size={28} />
      </span>
      <div className="flex flex-col gap-1.5">
        <div className="flex justify-center text-lg font-semibold text-balance">{title}</div>
        {children && <div className="max-w-[48ch] text-ink-soft text-pretty">{children}</div>}
      </div>
      {actions && <div className="actions justify-center pt-1">{actions}</div>}
    </div>
  )
}
