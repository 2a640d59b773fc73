import type { ReactNode } from 'react'

export interface PageHeadingProps {
  readonly children: ReactNode
  /** A small line above, as the number of an order. */
  readonly caption?: ReactNode
  /** One sentence under it. */
  readonly lead?: ReactNode
  /** What stands at the right end, as a button. */
  readonly aside?: ReactNode
}

/**
 * The one `h1` of a page. The application moves the focus here when the address changes, so that a screen reader says
 * where the person has come; a page that puts the focus into a field keeps it there.
 */
export function PageHeading({ children, caption, lead, aside }: PageHeadingProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1.5">
        {caption && <p className="caption-line">{caption}</p>}
        <h1 tabIndex={-1} data-page-heading="" className="text-2xl font-semibold tracking-[-0.022em]">
          {children}
        </h1>
        {/* Not in `ch`: before the font has come a letter has another width, and the lines would break elsewhere. */}
        {lead && <p className="max-w-[40rem] text-ink-soft">{lead}</p>}
      </div>
      {aside}
    </div>
  )
}
