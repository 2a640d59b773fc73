import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { wait } from './wait'

const tryAgainAfterMilliseconds = 5_000

/** A component whose script is loaded when it is first rendered. A failed load is repeated until it succeeds. */
export function later<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  async function untilLoaded(): Promise<{ default: ComponentType<Props> }> {
    try {
      return { default: await load() }
    } catch {
      await wait(tryAgainAfterMilliseconds)
      return untilLoaded()
    }
  }
  return lazy(untilLoaded)
}
