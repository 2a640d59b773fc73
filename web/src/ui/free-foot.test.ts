import { expect, it } from 'vitest'

import { freeFoot } from './free-foot'

const toast = { left: 100, right: 300, height: 50 }
const area = (top: number, bottom: number, left = 0, right = 400) => ({ left, right, top, bottom })

it.each([
  ['nothing is there', [], 0],
  ['the button is higher', [area(100, 700)], 0],
  ['the button is beside it', [area(760, 790, 310, 400)], 0],
  ['the button is out of sight', [area(850, 900)], 0],
  ['the button is there', [area(760, 790)], 40],
  ['the next button leaves no room above it', [area(700, 740), area(760, 790)], 100],
  ['the next button leaves room above it', [area(600, 700), area(760, 790)], 40],
  ['a bar and its button are there', [area(700, 800), area(720, 780)], 100],
  ['the whole screen is taken', [area(20, 800)], 0],
])('where %s', (_, taken, foot) => {
  expect(freeFoot(toast, taken, 800)).toBe(foot)
})

it('lies on nothing, wherever there is room, and as low as possible', () => {
  const places = [0, 40, 130, 390, 420, 600, 700, 755, 790]
  for (const first of places)
    for (const second of places)
      for (const height of [5, 45, 330]) {
        const taken = [area(first, first + height), area(second, second + 30)]
        const isFree = (foot: number) =>
          taken.every(({ top, bottom }) => top >= 800 - foot || bottom <= 800 - foot - toast.height)
        const feet = Array.from({ length: 800 - toast.height + 1 }, (_, foot) => foot)
        expect(freeFoot(toast, taken, 800)).toBe(feet.find(isFree) ?? 0)
      }
})
