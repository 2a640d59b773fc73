import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

const firstPauseMilliseconds = 5_000
const longestPauseMilliseconds = 60_000

/** Those that pause after a failed load. */
const pausing = new Set<() => void>()

/** Ends all pauses: to be called when something has been loaded, so that the rest is likely to come, too. */
export function loadWhatFailed(): void {
  for (const end of pausing) end()
}

addEventListener('online', loadWhatFailed)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') loadWhatFailed()
})

async function pause(milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  pausing.add(resolve)
  const timer = setTimeout(resolve, milliseconds)
  await promise
  clearTimeout(timer)
  pausing.delete(resolve)
}

/**
 * A component whose script is loaded when it is first rendered. A failed load is repeated at growing intervals, and at once where
 * it is likely to succeed: the browser is online again, somebody looks at the page again, or another part has come. It never reloads the
 * page by itself; where somebody waits for the component, `AwaitedPart` is its fallback.
 */
export function later<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  async function untilLoaded(
    milliseconds = firstPauseMilliseconds,
  ): Promise<{ default: ComponentType<Props> }> {
    let part: ComponentType<Props>
    try {
      part = await load()
    } catch {
      await pause(milliseconds)
      return untilLoaded(Math.min(milliseconds * 2, longestPauseMilliseconds))
    }
    loadWhatFailed()
    return { default: part }
  }
  return lazy(() => untilLoaded())
}
