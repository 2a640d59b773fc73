import { useEffect, useRef, type ReactNode } from 'react'

import { Icon } from '@/ui/icons'

interface DisclosureProps {
  readonly title: ReactNode
  /** What stands beside the title while it is folded. */
  readonly summary?: ReactNode
  readonly open?: boolean
  /** It needs attention: it opens and can't be folded away. */
  readonly held?: boolean
  /** It was unfolded. */
  readonly onUnfold?: () => void
  readonly children: ReactNode
}

/** A part that is folded away until it is wanted. */
export function Disclosure({ title, summary, open, held = false, onUnfold, children }: DisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (held && details.current !== null) details.current.open = true
  }, [held])
  return (
    <details
      ref={details}
      open={open}
      onToggle={(event) => event.currentTarget.open && onUnfold?.()}
      className="group/fold min-w-0 border-t border-rule pt-1 print:hidden"
    >
      <summary
        onClick={(event) => held && event.preventDefault()}
        className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-0.5 [&::-webkit-details-marker]:hidden"
      >
        <span className="inline-flex items-center gap-2">
          <span className="transition-transform group-open/fold:rotate-180 motion-reduce:transition-none">
            <Icon name="chevron" size={20} />
          </span>
          <span className="font-semibold">{title}</span>
        </span>
        {summary && <span className="min-w-0 text-sm text-ink-soft wrap-anywhere">{summary}</span>}
      </summary>
      <div className="flex flex-col gap-4 pt-2 pb-3">{children}</div>
    </details>
  )
}
