import { loadCatalog } from '@/i18n/i18n'
import { sheetMessages } from '@/i18n/sheet/catalog'

import { statementCatalog } from './catalog'
import { Statement } from './statement'

/** Loads the statement of the notary's bank, which the page can be shown without, with its texts. */
export async function loadStatement(): Promise<typeof Statement> {
  await Promise.all([statementCatalog, sheetMessages].map(loadCatalog))
  return Statement
}
