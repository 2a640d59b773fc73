import { readIntent, type AddIntent } from '@/forms/add-intent'
import type { DraftKey } from '@/forms/draft'

import type { SheetRow } from './rows'

export interface SheetDraft {
  readonly rows: readonly SheetRow[]
  readonly unknownHeadings: readonly string[]
  /** The intent while its request has no answer: the payments may be in the cart. */
  readonly intent: AddIntent | null
}

/** The sheet that is being mended. It outlasts a reload. */
export const sheetDraft: DraftKey<SheetDraft> = {
  name: 'draft sheet',
  read: readDraft,
  asksBeforeLeaving: true,
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

function isRow(value: unknown): value is SheetRow {
  return (
    typeof value === 'object' &&
    value !== null &&
    'number' in value &&
    typeof value.number === 'number' &&
    'cells' in value &&
    typeof value.cells === 'object' &&
    'findings' in value &&
    Array.isArray(value.findings) &&
    'payment' in value &&
    'again' in value
  )
}

/** Returns null where the stored value is damaged. */
function readDraft(stored: unknown): SheetDraft | null {
  if (typeof stored !== 'object' || stored === null) return null
  if (!('rows' in stored) || !('unknownHeadings' in stored) || !('intent' in stored)) return null
  const intent = readIntent(stored.intent)
  const { rows, unknownHeadings } = stored
  if (intent === undefined || !Array.isArray(rows) || !rows.every(isRow) || !isTexts(unknownHeadings))
    return null
  return { rows, unknownHeadings, intent }
}
