import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { firstPages, layouts, pageOf, pages } from './pages'
import { reactModule } from './react-modules'

/** The shared chunks. Each may import only those before it. */
const chunkNames = ['vendor', 'frame', 'login', 'cabinet', 'payment'] as const

type ChunkName = (typeof chunkNames)[number]

/** Whether the file of a chunk is named: the shared chunks and the messages that every page loads. */
function isNamed({ name, moduleIds }: Rolldown.PreRenderedChunk): boolean {
  return (
    chunkNames.some((shared) => shared === name) || moduleIds.some((id) => id.includes('/src/i18n/locales/'))
  )
}

/** The modules that the sources import statically, and the sources themselves. */
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
 * Assigns the modules of the first pages to chunks, so that these pages load few files and nothing that they do not
 * need. All other modules are left to the bundler.
 */
function chunksOf(root: string, context: Rolldown.PluginContext): ReadonlyMap<string, ChunkName> {
  const reach = (...sources: readonly string[]) => reachOf(sources, root, context)
  const others = (layout: keyof typeof layouts) =>
    reach(
      ...pages
        .filter((page) => page.layout === layout && page.path !== firstPages[layout])
        // It takes what it has from the chunk of the payment form, which it is.
        .filter(({ path }) => path !== '/cart/item/$id')
        .map(({ module }) => module),
    )

  const entry = reach(...layouts.guest.modules)
  const login = reach(pageOf(firstPages.guest).module)
  const laterGuests = others('guest')
  const shell = reach(...layouts.cabinet.modules)
  const payment = reach(pageOf(firstPages.cabinet).module)
  // What the form loads as soon as it is shown has fields that the login has, too.
  const soon = reach('src/features/payment-form/requisites/part.ts')
  const laterNotary = others('cabinet')
  const notary = new Set([...shell, ...payment, ...laterNotary])

  function chunkOf(id: string): ChunkName | null {
    const isLibrary = id.includes('/node_modules/') || id.startsWith(reactModule)
    // Imported by the indexes of the libraries, but used by the archive or the profile only.
    if (/infiniteQueryObserver|useBlocker|useInfiniteQuery/u.test(id)) return null
    if (entry.has(id) || (login.has(id) && (shell.has(id) || payment.has(id) || soon.has(id))))
      return isLibrary ? 'vendor' : 'frame'
    if (login.has(id)) return laterNotary.has(id) ? null : 'login'
    // In a shared chunk, guests would load all of that chunk for it.
    if (laterGuests.has(id)) return 'frame'
    if (shell.has(id) || (payment.has(id) && laterNotary.has(id))) return 'cabinet'
    return payment.has(id) ? 'payment' : null
  }
  return new Map(
    [...entry, ...login, ...notary].flatMap((id) => {
      const chunk = chunkOf(id)
      return chunk === null ? [] : [[id, chunk] as const]
    }),
  )
}

/** Splits the build into the chunks of `chunksOf`. */
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
            // The names of all chunks stand in the first script of every page. So they are as short as the bundler allows,
            // and only those that a reader of the network looks for carry a name.
            chunkFileNames: (chunk) => (isNamed(chunk) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js'),
            codeSplitting: {
              // Dependencies are assigned to chunks of their own, without cycles.
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
