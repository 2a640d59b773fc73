import { describe, expect, it } from 'vitest'

import { civilDate, kyivDate, longMoment, shortDate, timeOfDay } from './dates'

describe("dates are Kyiv's", () => {
  it("turn at Kyiv's midnight, in winter and in summer time", () => {
    expect(kyivDate(new Date('2025-11-10T21:59:59Z'))).toBe('2025-11-10')
    expect(kyivDate(new Date('2025-11-10T22:00:00Z'))).toBe('2025-11-11')
    expect(kyivDate(new Date('2026-06-30T20:59:59Z'))).toBe('2026-06-30')
    expect(kyivDate(new Date('2026-06-30T21:00:00Z'))).toBe('2026-07-01')
  })

  it('are written as the archive asks', () => {
    expect(shortDate('2026-01-05T22:30:07Z')).toBe('06.01.26')
    expect(timeOfDay('2026-01-05T22:30:07Z')).toBe('00:30:07')
    expect(civilDate('2025-11-11')).toBe('11.11.2025')
  })

  it("are spelled out in the interface's language", () => {
    expect(longMoment('2026-11-20T10:05:00Z', 'uk')).toContain('листопада 2026')
    expect(longMoment('2026-11-20T10:05:00Z', 'en')).toContain('November 2026')
  })
})
