import { expect, type Locator } from '@playwright/test'

type Side = 'x' | 'y' | 'top' | 'left' | 'right' | 'bottom' | 'width' | 'height'
export type Box = Readonly<Record<Side, number>>

/**
 * Waits until what is drawn passes the check, which is given one box for each element. All of them are read in one moment: what comes or is
 * laid out anew between two readings moves only the second.
 */
export async function expectBoxes<const Elements extends readonly [Locator, ...Locator[]]>(
  elements: Elements,
  check: (...boxes: { -readonly [Each in keyof Elements]: Box }) => void,
): Promise<void> {
  await expect(async () => {
    const handles = await Promise.all(elements.map((element) => element.elementHandle()))
    const boxes = await elements[0]
      .page()
      .evaluate((all) => all.map((one): Box => one?.getBoundingClientRect().toJSON() as Box), handles)
    expect(
      boxes.map(({ width }) => width),
      'everything is drawn',
    ).not.toContain(0)
    check(...(boxes as { -readonly [Each in keyof Elements]: Box }))
  }).toPass()
}

/** The texts of the elements that are cut. */
export const cutTexts = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((all) =>
    all
      .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)
      .map((one) => one.textContent),
  )
