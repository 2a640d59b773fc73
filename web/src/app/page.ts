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

/** A part of the pages that did not come: the server or the way to it is away, and another try may fetch it. */
export function lost(cause: unknown): never {
  throw new NetworkFailure({ cause })
}

/**
 * The options of a route whose page, messages and data come when it is first needed.
 * A failure of any of the three reaches the route's error page.
 */
export function page<Context = unknown>(importPage: () => Promise<PageModule<Context>>, catalog: Catalog) {
  // Its words come with the page, also where it is fetched before anybody has opened it.
  const load = async () => {
    const [module] = await Promise.all([importPage(), loadCatalog(catalog)]).catch(lost)
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
