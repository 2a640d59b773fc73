import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { firstPages, layouts, pageOf, pages } from './pages'

/** The chunks that hold what pages share, those that others build on first. */
const chunkNames = ['vendor', 'frame', 'query', 'login', 'cabinet', 'payment'] as const

type ChunkName = (typeof chunkNames)[number]

/** The source and everything that it imports at once. */
function reachOf(
  sources: readonly string[],
  root: string,
  context: Rolldown.PluginContext,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const wanted = sources.map((source) => resolve(root, source))
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    if (reached.has(id)) continue
    const module = context.getModuleInfo(id)
    if (module === null) throw new Error(`The build has no module ${id}, which build/pages.ts names.`)
    reached.add(id)
    wanted.push(...module.importedIds)
  }
  return reached
}

/**
 * The chunk of each module that pages share. The first pages decide, so that they load what they need in few files and nothing
 * else: a module that neither of them needs stays with the pages that do.
 */
function chunksOf(root: string, context: Rolldown.PluginContext): ReadonlyMap<string, ChunkName> {
  const reach = (...sources: readonly string[]) => reachOf(sources, root, context)
  const others = (layout: keyof typeof layouts) =>
    reach(
      ...pages
        .filter((page) => page.layout === layout && page.path !== firstPages[layout])
        .map(({ module }) => module),
    )

  const entry = reach(...layouts.guest.modules)
  const login = reach(pageOf(firstPages.guest).module)
  const laterGuests = others('guest')
  const shell = reach(...layouts.cabinet.modules)
  const payment = reach(pageOf(firstPages.cabinet).module)
  const laterNotary = others('cabinet')
  const notary = new Set([...shell, ...payment, ...laterNotary])

  function chunkOf(id: string): ChunkName | null {
    const isLibrary = id.includes('/node_modules/')
    if (entry.has(id) || (login.has(id) && notary.has(id))) return isLibrary ? 'vendor' : 'frame'
    if (login.has(id)) return 'login'
    // Guests would load all of the chunk for it.
    if (laterGuests.has(id)) return null
    if (shell.has(id) || (payment.has(id) && laterNotary.has(id))) return isLibrary ? 'query' : 'cabinet'
    return payment.has(id) ? 'payment' : null
  }
  return new Map(
    [...entry, ...login, ...notary].flatMap((id) => {
      const chunk = chunkOf(id)
      return chunk === null ? [] : [[id, chunk] as const]
    }),
  )
}

/** Puts what the pages share into a few chunks. */
export function chunks(): Plugin {
  let root = ''
  let chunkOf: ReadonlyMap<string, ChunkName> = new Map()
  return {
    name: 'cabinet:chunks',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // Dependencies have chunks of their own, and no chunk builds on one that builds on it.
              includeDependenciesRecursively: false,
              groups: chunkNames.map((name, index) => ({
                name,
                test: (id: string) => chunkOf.get(id) === name,
                priority: chunkNames.length - index,
              })),
            },
          },
        },
      },
    }),
    configResolved: (config) => {
      root = config.root
    },
    buildEnd(error) {
      if (error === undefined) chunkOf = chunksOf(root, this)
    },
  }
}
