import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { NetworkFailure } from '@/api/failure'
import { loadCatalog, type Catalog } from '@/i18n/i18n'

/**
 * What the file of a page exports: the component, and what has to be loaded before it is drawn. `Context` is what the loader
 * uses of its route; the route's own types must provide it.
 */
export interface PageModule<Context> {
  readonly default: ComponentType
  readonly loader?: (context: Context) => Promise<void>
}

/** A script or a catalogue of messages that did not load. */
export class MissingPart extends NetworkFailure {}

export function lost(cause: unknown): never {
  throw new MissingPart({ cause })
}

/**
 * Returns the options of a route whose page, messages and data are loaded when it is first opened. If any of them fails
 * to load, the route's error page is shown.
 */
export function page<Context = unknown>(
  importPage: () => Promise<PageModule<Context>>,
  ...catalogues: readonly Catalog[]
) {
  // The messages are loaded with the page, also when the page is preloaded.
  const load = async () => {
    const [module] = await Promise.all([importPage(), ...catalogues.map(loadCatalog)]).catch(lost)
    return module
  }
  return {
    component: lazyRouteComponent(load),
    loader: async (context: Context) => {
      const module = await load()
      await module.loader?.(context)
    },
  }
}
