// How the tests write what they print.

/** The time of day. */
export const time = () => new Date().toISOString().slice(11, 19)

/** Texts below one another, each moved in. */
export const lines = (texts) => texts.map((one) => `  ${one}`).join('\n')

/** What was counted, by name. */
export const list = (map) =>
  [...map]
    .map(([key, many]) => `${key} ${many}`)
    .toSorted()
    .join(', ') || 'none'
