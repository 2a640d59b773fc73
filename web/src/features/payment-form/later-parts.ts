import { useEffect, useSyncExternalStore } from 'react'

import type { openQuestion } from '@/forms/client-book/client'
import type { PaymentKind } from '@/lib/commission'
import type { ibanSlip } from '@/lib/iban-slip'
import { later, loadWhatFailed } from '@/lib/later'
import type { parseMoney } from '@/lib/money-typed'
import { preloadable } from '@/lib/preloadable'
import { whenIdle } from '@/lib/when-idle'

import type { ReadTypedRecipient } from './read-payment'

/** The rules for what is typed into the fields that are loaded later. */
interface LateRules {
  readonly readTypedRecipient: ReadTypedRecipient
  readonly parseMoney: typeof parseMoney
  readonly ibanSlip: typeof ibanSlip
  /** Finds what must be asked about a client. */
  readonly openQuestion: typeof openQuestion
}

let rules: LateRules | null = null
const listeners = new Set<() => void>()

async function loadPart() {
  const part = await import('./requisites/part')
  await part.loadTexts()
  rules = part
  for (const tell of listeners) tell()
  return part
}

/** Null while the fields are not loaded, and so not shown. */
export const lateRules = () => rules

function subscribe(tell: () => void) {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** Whether what reads the fields of the kind is still being loaded. */
export const useIsUnreadable = (kind: PaymentKind | null): boolean =>
  useSyncExternalStore(subscribe, () => kind === 'requisites_payment' && rules === null)

// The form is shown without them: most payments are fees, nothing is added yet, and a price seldom changes.
// They are one script: the names of all scripts stand in the first one of every page.
export const AddedNotice = later(async () => (await loadPart()).AddedNotice)
export const PriceChanged = later(async () => (await loadPart()).PriceChanged)
export const SamePayment = later(async () => (await loadPart()).SamePayment)
export const RequisitesFields = later(async () => (await loadPart()).RequisitesFields)
export const NameBook = later(async () => (await loadPart()).NameBook)
export const CodeBook = later(async () => (await loadPart()).CodeBook)
export const RepeatNotice = later(async () => (await loadPart()).RepeatNotice)
export const ReplacedNotice = later(async () => (await loadPart()).ReplacedNotice)
export const OwnAccountFields = later(async () => (await loadPart()).OwnAccountFields)
// They stand above the button: where they come with what is chosen, the button does not move away under a press.
const yearNotices = preloadable(async () => (await import('./stale-fee/stale-fee')).loadYearNotices())
export const YearNotices = yearNotices.Part

/** Loads the later parts of the form when the browser is idle. What can't be loaded then is loaded when it is shown. */
export function usePreloadedParts(): void {
  useEffect(
    () =>
      whenIdle(() => {
        void loadPart().then(loadWhatFailed, () => undefined)
        void yearNotices.preload()
      }),
    [],
  )
}
