import type { AnyRouter } from '@tanstack/react-router'
import { onTestFinished } from 'vitest'

/**
 * Keeps a page that is still loading when its test ends from reaching React: jsdom may be gone by then. Called before the
 * router is rendered.
 */
export function leaveAfterTest(router: AnyRouter): void {
  const { startTransition } = router
  onTestFinished(() => {
    router.startTransition = startTransition
  })
}
