interface FoldsProps {
  readonly count: 1 | 2 | 3 | 4
}

/** Keeps the place of parts that are folded away (`Disclosure`) while their script is loaded, so that nothing moves when they come. */
export function Folds({ count }: FoldsProps) {
  // A folded part is 13 units high with a line of one pixel, and 2 units from the next one.
  const height = `calc(var(--spacing) * ${15 * count - 2} + ${count}px)`
  return <div className="mt-4" style={{ height }} />
}
