import { cx } from './cx'

interface SkeletonProps {
  /** Tailwind classes for the width and height of the awaited content. */
  readonly className?: string
}

/** A placeholder for content that is being loaded. The container needs `aria-busy` and a hidden text. */
export function Skeleton({ className }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className={cx('block animate-breathe rounded-sm bg-rule/60', className ?? 'h-4 w-full')}
    />
  )
}
