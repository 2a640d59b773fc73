import { useCallback, useState } from 'react'
import type { User } from '@/api/user'
import { loadCatalog } from '@/i18n/i18n'
import { takesFirstSteps } from '@/lib/first-steps'
import { preloadable } from '@/lib/preloadable'

/** Not in the list of the pages' catalogues, which every page loads. */
const texts = {
  uk: () => import('@/features/first-steps/locales/uk.po'),
  en: () => import('@/features/first-steps/locales/en.po'),
}

const { preload, Part } = preloadable(async () => {
  const [steps] = await Promise.all([import('@/features/first-steps/first-steps'), loadCatalog(texts)])
  return steps.FirstSteps
})

/** Loads the first steps of a newcomer: how many lines they take differs, so no place can be kept for them. Others load nothing. */
export async function loadFirstSteps(user: User): Promise<void> {
  if (takesFirstSteps(user)) await preload()
}

interface FirstStepsProps {
  readonly user: User
}

/** The list of a newcomer's first steps, above the page. */
export function FirstSteps({ user }: FirstStepsProps) {
  const [isOver, setOver] = useState(false)
  const end = useCallback(() => setOver(true), [])
  if (isOver || !takesFirstSteps(user)) return null
  return (
    <div className="mb-3 print:hidden">
      <Part user={user} onEnd={end} />
    </div>
  )
}
