/** Whether the cart opens at its first Pay button: payments were just added to be paid now. A reload forgets it. */
let wanted = false

/** The cart that is opened next begins at its Pay button. */
export function payNext(): void {
  wanted = true
}

/** Returns whether the cart begins at its Pay button, once. */
export function takePayNext(): boolean {
  const taken = wanted
  wanted = false
  return taken
}
