import type { Plugin } from 'vite'

/** Vite's module that wraps each `import()`. */
const helper = '\0vite/preload-helper.js'

/** Where Vite lists, behind each `import()`, what it preloads. */
const list = ', __VITE_PRELOAD__)'

/**
 * Replaces Vite's wrapper of `import()`, which preloads the imports of the chunk and its styles. Here the document
 * preloads (`preloadPages`) and all styles are in one file, so nothing of it is left.
 */
export function plainImports(): Plugin {
  return {
    name: 'cabinet:plain-imports',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== helper) return null
      return 'export const __vitePreload = (load) => load()'
    },
    // Without the lists, Vite writes no names of styles into the chunks.
    renderChunk: (code) => code.replaceAll(list, ')'),
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle)
      if (!outputs.some((output) => output.type === 'chunk' && output.moduleIds.includes(helper)))
        throw new Error(`Vite has no module ${helper} any more.`)
      if (outputs.filter(({ fileName }) => fileName.endsWith('.css')).length > 1)
        throw new Error('A part has styles of its own, which nothing would load.')
      if (outputs.some((output) => output.type === 'chunk' && output.code.includes('__vite__mapDeps')))
        throw new Error('Vite marks its lists of preloads otherwise than by __VITE_PRELOAD__.')
    },
  }
}
