import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx'

export interface SheetProps extends Omit<ComponentProps<'section'>, 'title'> {
  /** The heading. With it the sheet is a named region. */
  readonly heading?: ReactNode
  /** A small line above the heading, such as the number of a document. */
  readonly caption?: ReactNode
  /** Content at the right end of the heading, such as a status or a menu. */
  readonly aside?: ReactNode
  /** Total and main button. On a phone they stay at the foot of the screen while the sheet is in sight. */
  readonly bar?: ReactNode
  /** The footer: totals, and buttons for the whole content. */
  readonly foot?: ReactNode
  /** The footer contains only buttons: it is not printed. */
  readonly footOfButtons?: boolean
}

/** A framed section with a header, a body and a footer. */
export function Sheet({
  heading,
  caption,
  aside,
  bar,
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
      {bar && (
        <div data-bar="" className="sheet-bar">
          {bar}
        </div>
      )}
      {foot && (
        <div
          className={cx(
            'rounded-b-sm bg-inset px-4 py-5 sm:px-8',
            bar ? 'sm:pt-0' : 'border-t border-rule',
            footOfButtons && 'print:hidden',
          )}
        >
          {foot}
        </div>
      )}
    </section>
  )
}
