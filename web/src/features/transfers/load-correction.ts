import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog } from '@/i18n/i18n'

import { CorrectionForm } from './correction-form'

/** Loads the form of a correction with its rules and the words of their refusals. */
export async function load(): Promise<typeof CorrectionForm> {
  await loadCatalog(accountTexts)
  return CorrectionForm
}
