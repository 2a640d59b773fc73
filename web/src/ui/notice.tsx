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
  /** What can be done about it. */
  readonly actions?: ReactNode
  /**
   * Announce it when it appears, or even in the middle of a sentence; an error always is. Leave it out for what stands on the
   * page from the beginning.
   */
  readonly announce?: boolean | 'at-once'
  readonly className?: string
}

/** A message that belongs to a page or a form and stays. */
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
