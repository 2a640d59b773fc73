import { Suspense, type ComponentType, type JSX } from 'react'
import { later } from './later'

interface Preloadable<Props> {
  /** Loads the part. It never fails: a part that could not be loaded comes later. */
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
      try {
        await keep()
      } catch {
        // `Part` loads it again.
      }
    },
    Part: (props) =>
      Loaded === null ? (
        <Suspense>
          <Later {...props} />
        </Suspense>
      ) : (
        <Loaded {...props} />
      ),
  }
}
