/**
 * The icons, drawn on a grid of 24 with one stroke. An icon never replaces a text: its button or the text beside it has a name,
 * so icons are hidden from screen readers.
 */
const paths = {
  alert: 'M12 4 2.8 19.5h18.4L12 4Zm0 5.5v5m0 2.4v.1',
  archive: 'M3.5 4.5h17v4h-17zM5 8.5v11h14v-11M9.5 12.5h5',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8 3.5V6m8-2.5V6',
  card: 'M3 6.5h18v11.5H3zM3 10.5h18M6.5 14.5h4',
  cart: 'M3 4.5h2.6l2.3 11h10l2-8H6.4M9.5 19.8v.1m7-.1v.1',
  check: 'm4.5 12.5 5 5 10-11',
  chevron: 'm6 9.5 6 6 6-6',
  close: 'm5.5 5.5 13 13m0-13-13 13',
  download: 'M12 4v11.5m-5-4.5 5 5 5-5M4.5 20h15',
  external: 'M10 5H5v14h14v-5M13.5 4.5h6v6m0-6-8.5 8.5',
  flag: 'M5.5 21V4m0 .5h12.5l-3 4.5 3 4.5H5.5',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm0 7.5v5.5m0-9v.1',
  leave: 'M14 4.5H5v15h9M10.5 12H20m-3.5-4 4 4-4 4',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  minus: 'M5 12h14',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z',
  person: 'M12 12.2a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8c.6-4 3.6-6 7.5-6s6.9 2 7.5 6',
  phone:
    'M6 3.500h3.500l1.5 4.5-2.2 1.600a13 13 0 0 0 5.6 5.600L16 13l4.5 1.500V18a2.5 2.5 0 0 1-2.7 2.500C10.5 20 4 13.5 3.5 6.200A2.5 2.5 0 0 1 6 3.500Z',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  receipt: 'M6 3.500h12v17l-3-1.8-3 1.8-3-1.8-3 1.800zM9 8.500h6m-6 4h6',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.400M19.5 3.500v4h-4',
  repeat: 'M4.5 11V9a2.5 2.5 0 0 1 2.5-2.500h12m-3-3 3 3-3 3M19.5 13v2a2.5 2.5 0 0 1-2.5 2.500H5m3 3-3-3 3-3',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm5 11.5 5 5',
  sheet: 'M6 3.500h8l4 4v13H6zM14 3.500v4h4M9 12h6m-6 4h6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-5v1.500m0 15V21m9-9h-1.500m-15 0H3m15.4-6.4-1.1 1.100M6.7 17.300l-1.1 1.100m12.8 0-1.1-1.100M6.7 6.7 5.6 5.6',
  table: 'M4 5h16v14H4zM4 10h16M10 5v14',
  system: 'M3.5 5h17v11.500h-17zM8.5 20h7m-3.5-3.500V20',
  trash: 'M4.5 7h15M9.5 7V4.500h5V7M6.5 7l.8 13h9.400l.8-13M10.5 11v5.500m3-5.500v5.5',
} as const

export type IconName = keyof typeof paths

interface IconProps {
  readonly name: IconName
  /** The size in pixels; 20 by default. */
  readonly size?: number
  readonly className?: string
}

export function Icon({ name, size = 20, className }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  )
}
