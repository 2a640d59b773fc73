import { useEffect } from 'react'

import { later } from '@/lib/later'
import { whenIdle } from '@/lib/when-idle'

const loadAddedNotice = async () => (await import('./added-notice')).AddedNotice
const loadPriceChanged = async () => (await import('./price-changed')).PriceChanged
const loadRequisitesFields = async () => (await import('./requisites-fields')).RequisitesFields

// The form is shown without them: most payments are fees, nothing is added yet, and a price seldom changes.
export const AddedNotice = later(loadAddedNotice)
export const PriceChanged = later(loadPriceChanged)
export const RequisitesFields = later(loadRequisitesFields)
// Only shown while fees of an earlier year are in force, so not even loaded when the browser is idle.
export const StaleFee = later(async () => (await import('./stale-fee/stale-fee')).loadStaleFee())

/** Loads the later parts of the form when the browser is idle. What can't be loaded then is loaded when it is shown. */
export function usePreloadedParts(): void {
  useEffect(
    () =>
      whenIdle(() => {
        Promise.all([loadAddedNotice(), loadPriceChanged(), loadRequisitesFields()]).catch(() => undefined)
      }),
    [],
  )
}
