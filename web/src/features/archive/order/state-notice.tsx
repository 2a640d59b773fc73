import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type ReactNode } from 'react'

import { announce } from '@/ui/live-region'
import { Notice, type NoticeTone } from '@/ui/notice'

interface StateNoticeProps {
  readonly tone: NoticeTone
  readonly title: string
  readonly children?: ReactNode
}

/** The state of the order's money. A change is announced to screen readers. */
export function StateNotice({ tone, title, children }: StateNoticeProps) {
  const { i18n } = useLingui()
  const { locale } = i18n
  const last = useRef({ title, locale })
  useEffect(() => {
    const before = last.current
    last.current = { title, locale }
    // An error is an alert, which is announced by itself; a change of the language is not announced.
    if (tone !== 'error' && before.title !== title && before.locale === locale) announce(title)
  }, [tone, title, locale])
  return (
    // The key makes a new element for a new title: screen readers announce a new alert, not a changed one.
    <Notice key={title} tone={tone} title={title}>
      {children}
    </Notice>
  )
}
