import { cx } from './cx'

interface SkeletonProps {
  /** Tailwind's width and height, as the thing that will stand here has them. */
  readonly className?: string
}

/** The place of something on its way. Put `aria-busy` and a hidden text on what surrounds it. */
export function Skeleton({ className }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className={cx('block animate-breathe rounded-sm bg-rule/60', className ?? 'h-4 w-full')}
    />
  )
}
