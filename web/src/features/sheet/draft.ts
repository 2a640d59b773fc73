import { readIntent, type AddIntent } from '@/forms/add-intent'
import type { DraftKey } from '@/forms/draft'

import type { SheetRow } from './rows'

export interface SheetDraft {
  readonly rows: readonly SheetRow[]
  readonly unknownHeadings: readonly string[]
  /** The intent while its request has no answer: the payments may be in the cart. */
  readonly intent: AddIntent | null
  /** The pasted text, until it is read. */
  readonly text: string
}

/** The sheet that is being mended, with what is typed and pasted. It outlasts a reload. */
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
    'again' in value &&
    (!('typed' in value) || typeof value.typed === 'object')
  )
}

/** Returns null where the stored value is damaged. */
function readDraft(stored: unknown): SheetDraft | null {
  if (typeof stored !== 'object' || stored === null) return null
  if (!('rows' in stored) || !('unknownHeadings' in stored) || !('intent' in stored)) return null
  const intent = readIntent(stored.intent)
  const { rows, unknownHeadings } = stored
  const text = 'text' in stored && typeof stored.text === 'string' ? stored.text : ''
  if (intent === undefined || !Array.isArray(rows) || !rows.every(isRow) || !isTexts(unknownHeadings))
    return null
  return { rows, unknownHeadings, intent, text }
}
