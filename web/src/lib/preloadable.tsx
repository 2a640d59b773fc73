import { Suspense, useState, type ComponentType, type JSX } from 'react'
import { later, loadWhatFailed } from './later'
import { wait } from './wait'

/** How long a page waits for a part without which it works: more than a slow line needs for one. */
const waitMilliseconds = 5_000

interface Preloadable<Props> {
  /** Loads the part. It never fails, and ends after some seconds: a part that has not come by then comes later. */
  readonly preload: () => Promise<void>
  readonly Part: (props: Props) => JSX.Element
}

/** A part of `later` that its page may wait for. Once it is loaded it stands with the page, so that nothing moves. */
export function preloadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Preloadable<Props> {
  let Loaded: ComponentType<Props> | null = null
  const keep = async () => (Loaded = await load())
  const Later: ComponentType<Props> = later(keep)
  return {
    preload: async () => {
      // Where it fails, `Part` loads it again.
      const loaded = keep().then(loadWhatFailed, () => undefined)
      await Promise.race([loaded, wait(waitMilliseconds)])
    },
    Part: function Part(props) {
      // For as long as it stands: the other one, though the same part, would lose its state.
      const [Ready] = useState(() => Loaded)
      return Ready === null ? (
        <Suspense>
          <Later {...props} />
        </Suspense>
      ) : (
        <Ready {...props} />
      )
    },
  }
}
