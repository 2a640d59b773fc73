import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type ReactNode } from 'react'

import { announce } from '@/ui/live-region'
import { Notice, type NoticeTone } from '@/ui/notice'

interface StateNoticeProps {
  readonly tone: NoticeTone
  readonly title: string
  readonly children?: ReactNode
}

/** Where the money of the order is; said aloud when it changes while the page stands. */
export function StateNotice({ tone, title, children }: StateNoticeProps) {
  const { i18n } = useLingui()
  const { locale } = i18n
  const last = useRef({ title, locale })
  useEffect(() => {
    const before = last.current
    last.current = { title, locale }
    // An error is an alert, which is said without being asked for; another language is no news.
    if (tone !== 'error' && before.title !== title && before.locale === locale) announce(title)
  }, [tone, title, locale])
  return (
    // Made anew for a new title: a screen reader hears of an alert that comes, not of one that changes its words.
    <Notice key={title} tone={tone} title={title}>
      {children}
    </Notice>
  )
}
