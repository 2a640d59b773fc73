/** Returns the time below which a share of the times is; NaN for none. */
export const quantile = (times, share) =>
  times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)] ?? Number.NaN

/** Returns the median: the mean of the two in the middle where their number is even; NaN for none. */
export function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
