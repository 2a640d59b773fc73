/** Seeded random choices. A seed always makes the same choices, but the running programs react at different moments. */
export function randomChoices(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit) => Math.floor(next() * limit)
  return {
    below,
    between: (from, to) => from + below(to - from),
    oneIn: (odds) => below(odds) === 0,
    of: (list) => list[below(list.length)],
  }
}

/** A tax id with its right check digit. */
export function taxId(random) {
  const digits =
    String(random.between(20_000, 38_000)).padStart(5, '0') + String(random.below(10_000)).padStart(4, '0')
  const sum = [-1, 5, 7, 9, 4, 6, 10, 5, 7].reduce(
    (all, weight, place) => all + weight * Number(digits[place]),
    0,
  )
  return digits + ((((sum % 11) + 11) % 11) % 10)
}
