import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)

/** React's modules that are imported by name nearly everywhere. */
const names = new Set(['react', 'react/jsx-runtime'])

/** What the ids of their ES modules begin with. */
export const reactModule = '\0react-module:'

/**
 * Gives React's CommonJS modules the form of ES modules. Otherwise every script calls `(0, react.useState)()`, and every page loads a
 * script that reads CommonJS modules.
 */
export function reactModules(): Plugin {
  return {
    name: 'cabinet:react-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer, { kind }) {
      const isOwn = importer?.startsWith(reactModule) === true || kind !== 'import-statement'
      return isOwn || !names.has(source) ? null : reactModule + source
    },
    load(id) {
      if (!id.startsWith(reactModule)) return null
      const name = id.slice(reactModule.length)
      // What begins with underscores is React's own.
      const exported = Object.keys(require(name) as object).filter((each) => !each.startsWith('__'))
      const lines = exported.map((each) => `export const ${each} = module.${each}`)
      return [`import module from '${name}'`, ...lines, 'export default module'].join('\n')
    },
  }
}
