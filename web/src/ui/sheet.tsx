import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx'

export interface SheetProps extends Omit<ComponentProps<'section'>, 'title'> {
  /** Its own heading; the sheet is then a named region. */
  readonly heading?: ReactNode
  /** A small line above the heading, as a document's number. */
  readonly caption?: ReactNode
  /** What stands at the right end of the heading, as a status or a menu. */
  readonly aside?: ReactNode
  /** The part at the foot that is set back: totals and the buttons that act on all of it. */
  readonly foot?: ReactNode
  /** The foot holds nothing but buttons: it is left out on paper. */
  readonly footOfButtons?: boolean
}

/** A sheet of paper on the desk: a document with a head, ruled off by a double line, a body and a foot. */
export function Sheet({
  heading,
  caption,
  aside,
  foot,
  footOfButtons = false,
  children,
  className,
  ...rest
}: SheetProps) {
  const headingId = useId()
  return (
    <section
      aria-labelledby={heading && rest['aria-label'] === undefined ? headingId : undefined}
      {...rest}
      className={cx('min-w-0 rounded-sm bg-sheet shadow-sheet print:shadow-none', className)}
    >
      {heading && (
        <div className="mx-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2 double-rule pt-5 pb-3.5 sm:mx-8 sm:pt-7">
          <div className="min-w-0">
            {caption && <p className="caption-line">{caption}</p>}
            <h2 id={headingId} className="text-lg font-semibold tracking-tight">
              {heading}
            </h2>
          </div>
          {aside}
        </div>
      )}
      <div className="px-4 py-6 sm:px-8">{children}</div>
      {foot && (
        <div
          className={cx(
            'rounded-b-sm border-t border-rule bg-inset px-4 py-5 sm:px-8',
            footOfButtons && 'print:hidden',
          )}
        >
          {foot}
        </div>
      )}
    </section>
  )
}
