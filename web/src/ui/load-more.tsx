import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type ReactNode } from 'react'
import { Button } from './button'

export interface LoadMoreProps {
  /** Loads the next page. */
  readonly onMore: () => void
  readonly hasMore: boolean
  readonly loading: boolean
  /**
   * Whether the next page is loaded when the button is scrolled into view. The button remains for the keyboard and after a
   * failure. True by default.
   */
  readonly automatic?: boolean
  /** The label of the button; "show more" by default. */
  readonly children?: ReactNode
}

/** The end of a list that has more pages. */
export function LoadMore({ onMore, hasMore, loading, automatic = true, children }: LoadMoreProps) {
  const { t } = useLingui()
  const ref = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  useEffect(() => {
    more.current = onMore
  })

  useEffect(() => {
    const end = ref.current
    if (!automatic || !hasMore || loading || end === null || typeof IntersectionObserver === 'undefined')
      return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) more.current()
      },
      { rootMargin: '400px' },
    )
    observer.observe(end)
    return () => observer.disconnect()
  }, [automatic, hasMore, loading])

  return (
    <div ref={ref} className="flex min-h-16 items-center justify-center print:hidden">
      {hasMore ? (
        <Button loading={loading} onClick={onMore}>
          {children ?? <Trans>Показати ще</Trans>}
        </Button>
      ) : (
        <p className="text-sm text-ink-soft">{t`Більше записів немає`}</p>
      )}
    </div>
  )
}
