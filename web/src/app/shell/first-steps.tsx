import { Suspense, useState } from 'react'
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
  /** Called when a link of a step is followed. */
  readonly onFollow?: () => void
}

/** The list of a newcomer's first steps. Others load nothing of it. */
export function FirstSteps({ user, onFollow }: FirstStepsProps) {
  const [hidden, setHidden] = useState(false)
  if (hidden || !takesFirstSteps(user)) return null
  return (
    <Suspense>
      <Steps user={user} onEnd={() => setHidden(true)} {...(onFollow && { onFollow })} />
    </Suspense>
  )
}
