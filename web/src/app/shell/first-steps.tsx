import { Suspense, useCallback, useState } from 'react'
import type { User } from '@/api/user'
import { loadCatalog } from '@/i18n/i18n'
import { takesFirstSteps } from '@/lib/first-steps'
import { later } from '@/lib/later'

/** Not in the list of the pages' catalogues, which every page loads. */
const texts = {
  uk: () => import('@/features/first-steps/locales/uk.po'),
  en: () => import('@/features/first-steps/locales/en.po'),
}

const Steps = later(async () => {
  const [steps] = await Promise.all([import('@/features/first-steps/first-steps'), loadCatalog(texts)])
  return steps.FirstSteps
})

interface FirstStepsProps {
  readonly user: User
}

/** The list of a newcomer's first steps, above the page. Its place is kept, so that nothing moves when it comes. Others load nothing of it. */
export function FirstSteps({ user }: FirstStepsProps) {
  const [isOver, setOver] = useState(false)
  const end = useCallback(() => setOver(true), [])
  if (isOver || !takesFirstSteps(user)) return null
  return (
    <div className="mb-3 min-h-32 sm:min-h-16 print:hidden">
      <Suspense>
        <Steps user={user} onEnd={end} />
      </Suspense>
    </div>
  )
}
