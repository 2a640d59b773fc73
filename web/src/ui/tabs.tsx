import type { ReactNode } from 'react'

export interface TabsProps {
  /** What the tabs are parts of, read aloud. */
  readonly label: string
  /** Links, one a tab; the current one has `aria-current="page"`, which the router's links set by themselves. */
  readonly children: ReactNode
}

/** Pages that belong together, as the index tabs of a folder. They are links: Back works, and each has its address. */
export function Tabs({ label, children }: TabsProps) {
  return (
    <nav
      aria-label={label}
      className={
        // Flush with the page's edge, and yet with room for the ring of the first tab.
        '-mx-1 flex gap-6 overflow-x-auto px-1 shadow-[inset_0_-1px_var(--color-rule)] print:hidden ' +
        '[&>a]:inline-flex [&>a]:min-h-12 [&>a]:items-center [&>a]:border-b-2 [&>a]:border-transparent [&>a]:text-ink-soft [&>a]:whitespace-nowrap ' +
        '[&>a:hover]:text-ink [&>a[aria-current=page]]:border-seal [&>a[aria-current=page]]:font-semibold [&>a[aria-current=page]]:text-ink'
      }
    >
      {children}
    </nav>
  )
}
