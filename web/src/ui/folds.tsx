import { cx } from './cx'

const HEIGHTS = { 1: 'h-[3.3125rem]', 2: 'h-[7.125rem]', 3: 'h-[10.9375rem]', 4: 'h-[14.75rem]' } as const

/** Keeps the place of parts that are folded away (`Disclosure`) while their script is loaded, so that nothing moves when they come. */
export function Folds({ count }: { readonly count: 1 | 2 | 3 | 4 }) {
  return <div className={cx('mt-4', HEIGHTS[count])} />
}
