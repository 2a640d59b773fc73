import { useEffect } from 'react'

import { later } from '@/lib/later'
import { whenIdle } from '@/lib/when-idle'

const loadAddedNotice = async () => (await import('./added-notice')).AddedNotice
const loadRequisitesFields = async () => (await import('./requisites-fields')).RequisitesFields

// The form is shown without them: most payments are fees, and nothing is added yet.
export const AddedNotice = later(loadAddedNotice)
export const RequisitesFields = later(loadRequisitesFields)

/** Loads the later parts of the form when the browser is idle. What can't be loaded then is loaded when it is shown. */
export function usePreloadedParts(): void {
  useEffect(
    () =>
      whenIdle(() => {
        Promise.all([loadAddedNotice(), loadRequisitesFields()]).catch(() => undefined)
      }),
    [],
  )
}
