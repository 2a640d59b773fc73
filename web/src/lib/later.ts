import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { wait } from './wait'

const firstPauseMilliseconds = 5_000
const longestPauseMilliseconds = 60_000

/**
 * A component whose script is loaded when it is first rendered. A failed load is repeated at growing intervals. It never reloads the
 * page by itself; where somebody waits for the component, `AwaitedPart` is its fallback.
 */
export function later<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  async function untilLoaded(pause = firstPauseMilliseconds): Promise<{ default: ComponentType<Props> }> {
    try {
      return { default: await load() }
    } catch {
      await wait(pause)
      return untilLoaded(Math.min(pause * 2, longestPauseMilliseconds))
    }
  }
  return lazy(() => untilLoaded())
}
