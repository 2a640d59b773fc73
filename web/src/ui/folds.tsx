interface FoldsProps {
  readonly count: 1 | 2 | 3 | 4
}

/** Keeps the place of parts that are folded away (`Disclosure`) while their script is loaded, so that nothing moves when they come. */
export function Folds({ count }: FoldsProps) {
  // A folded part is 12 units high with a line of one pixel.
  const height = `calc(var(--spacing) * ${12 * count} + ${count}px)`
  return <div className="mt-4" style={{ height }} />
}
