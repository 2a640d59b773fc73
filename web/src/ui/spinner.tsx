import { useLingui } from '@lingui/react/macro'
import { cx } from './cx'

interface SpinnerProps {
  /** The accessible name. Without it the spinner is decorative, with a text beside it. */
  readonly label?: string
  /** The size in pixels; 20 by default. */
  readonly size?: number
  readonly className?: string
}

/** A spinner. It does not move if the person prefers reduced motion. */
export function Spinner({ label, size = 20, className }: SpinnerProps) {
  return (
    <span
      className={cx('inline-flex', className)}
      {...(label ? { role: 'status' } : { 'aria-hidden': true })}
    >
      <svg
        viewBox="0 0 24 24"
        width={size}
        height={size}
        fill="none"
        className="animate-turn"
        aria-hidden="true"
      >
        <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="2" opacity="0.25" />
        <path d="M12 3a9 9 0 0 1 9 9" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}

/** A centred spinner in place of content that is being loaded. */
export function Loading({ label }: { readonly label?: string }) {
  const { t } = useLingui()
  return (
    <div className="flex min-h-48 items-center justify-center text-seal">
      <Spinner size={36} label={label ?? t`Завантаження…`} />
    </div>
  )
}
