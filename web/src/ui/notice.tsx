import type { ReactNode } from 'react'
import { cx } from './cx'
import { Icon, type IconName } from './icons'

export type NoticeTone = 'info' | 'warn' | 'error' | 'success'

const looks: Record<NoticeTone, { readonly icon: IconName; readonly box: string; readonly mark: string }> = {
  info: { icon: 'info', box: 'border-seal bg-seal-wash', mark: 'text-seal' },
  warn: { icon: 'alert', box: 'border-caution bg-caution-wash', mark: 'text-caution' },
  error: { icon: 'alert', box: 'border-danger bg-danger-wash', mark: 'text-danger' },
  success: { icon: 'check', box: 'border-success bg-success-wash', mark: 'text-success' },
}

export interface NoticeProps {
  readonly tone: NoticeTone
  readonly title?: ReactNode
  readonly children?: ReactNode
  /** Buttons or links. */
  readonly actions?: ReactNode
  /**
   * Announces the notice when it appears; an error is always announced. Leave it out for a notice that is rendered with the page.
   */
  readonly announce?: boolean | 'at-once'
  readonly className?: string
}

/** A message of a page or a form that stays. */
export function Notice({ tone, title, children, actions, announce = false, className }: NoticeProps) {
  const look = looks[tone]
  const role = tone === 'error' || announce === 'at-once' ? 'alert' : announce ? 'status' : undefined
  return (
    <div role={role} className={cx('flex gap-3 rounded-sm border-l-4 px-4 py-3.5', look.box, className)}>
      <Icon name={look.icon} size={22} className={cx('mt-0.5 shrink-0', look.mark)} />
      <div className="flex min-w-0 grow flex-col gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-sm text-pretty">{children}</div>}
        {actions && <div className="actions pt-2">{actions}</div>}
      </div>
    </div>
  )
}
