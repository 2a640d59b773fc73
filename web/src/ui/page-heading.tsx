import type { ReactNode } from 'react'

export interface PageHeadingProps {
  readonly children: ReactNode
  /** A small line above the heading, such as the number of an order. */
  readonly caption?: ReactNode
  /** A sentence under the heading. */
  readonly lead?: ReactNode
  /** Content at the right end, such as a button. */
  readonly aside?: ReactNode
}

/** The only `h1` of a page. The application moves the focus to it after a navigation, unless the page has focused a field or its Pay button. */
export function PageHeading({ children, caption, lead, aside }: PageHeadingProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1.5">
        {caption && <p className="caption-line">{caption}</p>}
        <h1 tabIndex={-1} data-page-heading="" className="text-2xl font-semibold tracking-[-0.022em]">
          {children}
        </h1>
        {/* Not in `ch`: before the font is loaded a letter has another width, and the lines would break elsewhere. */}
        {lead && <p className="max-w-[40rem] text-ink-soft">{lead}</p>}
      </div>
      {aside}
    </div>
  )
}
