import { useEffect } from 'react'

import type { openQuestion } from '@/forms/client-book/client'
import { later } from '@/lib/later'
import { whenIdle } from '@/lib/when-idle'

import type { ReadTypedRecipient } from './read-payment'

const loadAddedNotice = async () => (await import('./added-notice')).AddedNotice
const loadPriceChanged = async () => (await import('./price-changed')).PriceChanged

let typedRecipientReader: ReadTypedRecipient | null = null
let questionReader: typeof openQuestion | null = null

async function loadRequisitesPart() {
  const texts = import('./requisites/load-texts').then(({ loadTexts }) => loadTexts())
  const [part] = await Promise.all([import('./requisites/part'), texts])
  typedRecipientReader = part.readTypedRecipient
  questionReader = part.openQuestion
  return part
}

/** Reads the fields of `RequisitesFields`; null while they are not loaded. */
export const lateReader = () => typedRecipientReader

/** Finds what must be asked about a client; null while it is not loaded. */
export const lateQuestion = () => questionReader

// The form is shown without them: most payments are fees, nothing is added yet, and a price seldom changes.
export const AddedNotice = later(loadAddedNotice)
export const PriceChanged = later(loadPriceChanged)
export const RequisitesFields = later(async () => (await loadRequisitesPart()).RequisitesFields)
export const NameBook = later(async () => (await loadRequisitesPart()).NameBook)
export const CodeBook = later(async () => (await loadRequisitesPart()).CodeBook)
export const OwnAccountFields = later(async () => (await loadRequisitesPart()).OwnAccountFields)
// Only shown while fees of an earlier year are in force, so not even loaded when the browser is idle.
export const StaleFee = later(async () => (await import('./stale-fee/stale-fee')).loadStaleFee())

/** Loads the later parts of the form when the browser is idle. What can't be loaded then is loaded when it is shown. */
export function usePreloadedParts(): void {
  useEffect(
    () =>
      whenIdle(() => {
        Promise.all([loadAddedNotice(), loadPriceChanged(), loadRequisitesPart()]).catch(() => undefined)
      }),
    [],
  )
}
