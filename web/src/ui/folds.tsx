import { cx } from './cx'

/** Keeps the place of parts that are folded away (`Disclosure`) while their script is loaded, so that nothing moves when they come. */
export function Folds({ count }: { readonly count: 1 | 2 }) {
  return <div className={cx('mt-4', count === 1 ? 'h-[3.3125rem]' : 'h-[7.125rem]')} />
}
