import type { ReactNode } from 'react'

export interface TabsProps {
  /** The accessible name. */
  readonly label: string
  /** Links, one for each tab. The current one has `aria-current="page"`, which the router sets. */
  readonly children: ReactNode
}

/** Tabs that are links: Back works, and each has an address. */
export function Tabs({ label, children }: TabsProps) {
  return (
    <nav
      aria-label={label}
      className={
        // Aligned with the edge of the page, with room for the focus ring of the first tab.
        '-mx-1 flex flex-wrap gap-x-6 px-1 shadow-[inset_0_-1px_var(--color-rule)] print:hidden ' +
        '[&>a]:inline-flex [&>a]:min-h-11 [&>a]:items-center [&>a]:border-b-2 [&>a]:border-transparent forced-colors:[&>a]:border-[Canvas] [&>a]:text-ink-soft [&>a]:whitespace-nowrap ' +
        '[&>a:hover]:text-ink [&>a[aria-current=page]]:border-seal [&>a[aria-current=page]]:font-semibold [&>a[aria-current=page]]:text-ink'
      }
    >
      {children}
    </nav>
  )
}
