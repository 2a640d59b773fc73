import { expect, test } from 'vitest'

import { daysOf, type Preset } from './periods'

test.each<[Preset, string, string, string]>([
  ['today', '2026-11-24', '2026-11-24', '2026-11-24'],
  ['yesterday', '2026-11-24', '2026-11-23', '2026-11-23'],
  ['yesterday', '2027-01-01', '2026-12-31', '2026-12-31'],
  ['this_week', '2026-11-24', '2026-11-23', '2026-11-29'],
  // Sunday belongs to the week before, and a week may pass from year to year.
  ['this_week', '2026-11-22', '2026-11-16', '2026-11-22'],
  ['this_week', '2027-01-01', '2026-12-28', '2027-01-03'],
  ['last_month', '2027-01-31', '2026-12-01', '2026-12-31'],
  ['this_quarter', '2026-11-24', '2026-10-01', '2026-12-31'],
  ['this_year', '2026-11-24', '2026-01-01', '2026-12-31'],
])('%s of %s is from %s to %s', (preset, today, from, to) => {
  expect(daysOf(preset, today)).toEqual({ from, to })
})
