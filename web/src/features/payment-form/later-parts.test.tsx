import { render, renderHook, screen, waitFor } from '@testing-library/react'
import type { JSX } from 'react'
import { expect, it, vi } from 'vitest'

import { usePreloadedParts, YearNotices } from './later-parts'
import { loadYearNotices } from './stale-fee/stale-fee'

vi.mock('./stale-fee/stale-fee', () => ({
  loadYearNotices: vi.fn<() => Promise<() => JSX.Element>>(() =>
    Promise.resolve(() => <p>The fee of the next year</p>),
  ),
}))

it('what the year asks to be said is loaded before a fee is chosen, so that no button moves under a press', async () => {
  renderHook(usePreloadedParts)
  await waitFor(() => expect(loadYearNotices).toHaveBeenCalled())
  render(<YearNotices feeYear={null} treasuryLastDay={null} />)
  expect(await screen.findByText('The fee of the next year')).toBeVisible()
})
