import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx'

export interface SheetProps extends Omit<ComponentProps<'section'>, 'title'> {
  /** The heading. With it the sheet is a named region. */
  readonly heading?: ReactNode
  /** A small line above the heading, such as the number of a document. */
  readonly caption?: ReactNode
  /** Content at the right end of the heading, such as a status or a menu. */
  readonly aside?: ReactNode
  /** Total and main button, at the head of the sheet. On a phone they stay at the foot of the screen while the sheet is in sight. */
  readonly bar?: ReactNode
  /** The footer: totals, and buttons for the whole content. */
  readonly foot?: ReactNode
  /** With little room around its parts: the form that it holds is long. */
  readonly dense?: boolean
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
  dense = false,
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
      className={cx(
        'min-w-0 rounded-sm bg-sheet shadow-sheet print:shadow-none',
        Boolean(bar) && 'sheet-with-bar',
        className,
      )}
    >
      {heading && (
        <div
          className={cx(
            'mx-4 flex flex-wrap justify-between gap-x-4 gap-y-2 double-rule sm:mx-6',
            dense ? 'items-center pt-2.5 pb-1.5' : 'items-end pt-4 pb-2.5',
          )}
          data-head=""
        >
          <div className="min-w-0">
            {caption && <p className="caption-line">{caption}</p>}
            <h2 id={headingId} className="text-lg font-semibold tracking-tight">
              {heading}
            </h2>
          </div>
          {aside}
        </div>
      )}
      {bar && (
        <div data-bar="" className="sheet-bar">
          {bar}
        </div>
      )}
      <div className={cx('px-4 sm:px-6', bar ? 'py-2.5' : dense ? 'py-3' : 'py-5')}>{children}</div>
      {foot && (
        <div
          className={cx(
            'rounded-b-sm border-t border-rule bg-inset px-4 sm:px-6',
            bar ? 'py-1.5' : dense ? 'py-3' : 'py-4',
            footOfButtons && 'print:hidden',
          )}
        >
          {foot}
        </div>
      )}
    </section>
  )
}
