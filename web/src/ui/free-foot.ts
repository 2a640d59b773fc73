/** A part of the screen, in pixels from its upper left corner. */
interface Area {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * How far above the foot of a screen of this height something stands so that it lies on none of the areas: as low as possible. 0 where
 * the whole screen is taken.
 */
export function freeFoot(
  { left, right, height }: { readonly left: number; readonly right: number; readonly height: number },
  taken: readonly Area[],
  screen: number,
): number {
  // From the lowest area to the highest one: what was moved above one of them can only meet those that are higher.
  const below = taken
    .filter((area) => area.left < right && area.right > left && area.bottom > 0 && area.top < screen)
    .toSorted((one, other) => other.bottom - one.bottom)
  let foot = screen
  for (const { top, bottom } of below) if (bottom > foot - height) foot = Math.min(foot, top)
  return foot < height ? 0 : screen - foot
}
