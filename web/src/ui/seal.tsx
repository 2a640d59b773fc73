import { cx } from './cx'

interface SealProps {
  /** The size in pixels. */
  readonly size?: number
  readonly className?: string
}

/** The logo: a notary's stamp with the letter Н. It is decorative; the name is beside it. */
export function Seal({ size = 36, className }: SealProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 40 40"
      width={size}
      height={size}
      className={cx('shrink-0 text-seal', className)}
    >
      <g fill="none" stroke="currentColor">
        <circle cx="20" cy="20" r="18.6" strokeWidth="1.6" />
        <circle cx="20" cy="20" r="15.4" strokeWidth="2.4" strokeDasharray="1.1 1.32" />
        <circle cx="20" cy="20" r="12.6" strokeWidth="0.8" />
      </g>
      <path fill="currentColor" d="M14 13h3.4v5.4h5.200V13H26v14h-3.4v-5.700h-5.200V27H14z" />
    </svg>
  )
}
