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
        'flex gap-6 overflow-x-auto border-b border-rule px-1 print:hidden ' +
        '[&>a]:-mb-px [&>a]:inline-flex [&>a]:min-h-12 [&>a]:items-center [&>a]:border-b-2 [&>a]:border-transparent [&>a]:text-ink-soft [&>a]:whitespace-nowrap ' +
        '[&>a:hover]:text-ink [&>a[aria-current=page]]:border-seal [&>a[aria-current=page]]:font-semibold [&>a[aria-current=page]]:text-ink'
      }
    >
      {children}
    </nav>
  )
}
