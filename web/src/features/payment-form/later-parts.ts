import { useEffect } from 'react'

import { later } from '@/lib/later'
import { whenIdle } from '@/lib/when-idle'

import type { ReadTypedRecipient } from './read-payment'

const loadAddedNotice = async () => (await import('./added-notice')).AddedNotice
const loadPriceChanged = async () => (await import('./price-changed')).PriceChanged

let typedRecipientReader: ReadTypedRecipient | null = null

async function loadRequisitesFields() {
  const texts = import('./requisites/load-texts').then(({ loadTexts }) => loadTexts())
  const [part] = await Promise.all([import('./requisites/part'), texts])
  typedRecipientReader = part.readTypedRecipient
  return part.RequisitesFields
}

/** Reads the fields of `RequisitesFields`; null while they are not loaded. */
export const lateReader = () => typedRecipientReader

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
