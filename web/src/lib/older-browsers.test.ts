import { afterAll, expect, it } from 'vitest'

import { addWhatIsMissing } from './older-browsers'

const targets = [
  [Array.prototype, 'toSorted'],
  [Array.prototype, 'toReversed'],
  [AbortSignal, 'any'],
  [URL, 'canParse'],
] as const
const own = targets.map(([target, name]) => [target, name, Reflect.get(target, name) as unknown] as const)
for (const [target, name] of targets) Reflect.deleteProperty(target, name)
addWhatIsMissing()

afterAll(() => {
  for (const [target, name, value] of own)
    Object.defineProperty(target, name, { value, writable: true, configurable: true })
})

it('sorts and turns a copy', () => {
  const numbers = [3, 1, 2]
  expect([numbers.toSorted(), numbers.toSorted((one, other) => other - one), numbers.toReversed()]).toEqual([
    [1, 2, 3],
    [3, 2, 1],
    [2, 1, 3],
  ])
  expect(numbers).toEqual([3, 1, 2])
})

it('aborts with the first signal, and with one that was aborted before', () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const joined = AbortSignal.any([first.signal, second.signal])
  expect(joined.aborted).toBe(false)
  second.abort('late')
  expect([joined.aborted, joined.reason]).toEqual([true, 'late'])
  expect(AbortSignal.any([first.signal, second.signal]).aborted).toBe(true)
})

it('tells an address from what is none', () => {
  expect(URL.canParse('https://example.ua/a')).toBe(true)
  expect(URL.canParse('/a', 'https://example.ua')).toBe(true)
  expect(URL.canParse('/a')).toBe(false)
})
