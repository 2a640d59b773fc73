/** The longest purpose, in characters (specification, point 9). In a file of its own, which costs a page that only counts nothing more. */
export const PURPOSE_CHARS_MAX = 160
