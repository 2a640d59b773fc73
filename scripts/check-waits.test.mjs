import assert from 'node:assert/strict'
import { test } from 'node:test'

import { earlyFocusIn, waitsIn } from './check-waits.mjs'

test('waits that depend on speed are found', () => {
  const text = [
    'await page.waitForTimeout(500)',
    "await page.waitForLoadState('networkidle')",
    'await expect(name).toBeVisible({ timeout: 5_000 })',
    'await new Promise((resolve) => setTimeout(resolve, 50))',
  ]
  assert.deepEqual(
    waitsIn(text.join('\n')).map((fault) => fault.split(':', 1)[0]),
    ['1', '2', '3', '4'],
  )
})

test('waits with a reason, long limits and fake clocks are not', () => {
  assert.deepEqual(waitsIn('// The page shows nothing.\nawait page.waitForTimeout(500)'), [])
  assert.deepEqual(waitsIn("await page.waitForLoadState('networkidle') // why"), [])
  assert.deepEqual(waitsIn('await expect(name).toBeVisible({ timeout: 60_000 })'), [])
  assert.deepEqual(waitsIn('test.setTimeout(900)'), [])
  assert.deepEqual(waitsIn("vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })"), [])
})

test('a reason further away counts for nothing', () => {
  assert.deepEqual(waitsIn(`// why\n\n\n\nawait page.waitForTimeout(500)`), ['5: waits for a time'])
})

test('a focus that an effect moves is waited for', () => {
  const early = ["const field = await screen.findByLabelText('Код')", 'expect(field).toHaveFocus()']
  assert.deepEqual(
    earlyFocusIn(early.join('\n')).map((fault) => fault.split(':', 1)[0]),
    ['2'],
  )
  assert.equal(earlyFocusIn("expect(\n  await screen.findByRole('alert'),\n).toHaveFocus()").length, 1)
  for (const right of [
    [early[0], 'await waitFor(() => expect(field).toHaveFocus())'],
    [early[0], 'await waitFor(() =>', '  expect(field).toHaveFocus(),', ')'],
    [early[0], 'await user.click(field)', 'expect(field).toHaveFocus()'],
    [early[0], 'expect(field).not.toHaveFocus()'],
  ])
    assert.deepEqual(earlyFocusIn(right.join('\n')), [])
})
