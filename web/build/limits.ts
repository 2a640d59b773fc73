import { readFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { scriptsOf } from './page-scripts'
import { pages } from './pages'

/** The size limit of a script that no page loads before it is shown, such as a dialog or the realtime client. */
const laterLimit = 40

/** Kilobytes of 1000 bytes, compressed by Brotli. */
const weigh = (script: string) => brotliCompressSync(script).length / 1000

/**
 * Fails the build when the scripts of a page are larger than its limit. Measured with the Ukrainian messages, which are
 * larger than the English ones.
 */
export function limits(): Plugin {
  return {
    name: 'cabinet:limits',
    apply: 'build',
    enforce: 'post',
    async writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      // The names of chunks are hashes. With them, a change of one page would change the weight of the others.
      const names = chunks.map(({ fileName }) => fileName.slice(fileName.lastIndexOf('/') + 1))
      const named = new RegExp(names.map((name) => name.replace('.', String.raw`\.`)).join('|'), 'gu')
      const weights = new Map(
        chunks.map(({ fileName, code }) => [fileName, weigh(code.replaceAll(named, 'chunk.js'))]),
      )
      const start = weigh(await readFile(new URL('../public/start.js', import.meta.url), 'utf8'))
      const lines: string[] = []
      const heavy: string[] = []
      const later = new Set(weights.keys())
      for (const page of pages) {
        const scripts = scriptsOf(page, 'uk', chunks)
        const weight = scripts.reduce((sum, file) => sum + (weights.get(file) ?? 0), start)
        for (const file of scripts) later.delete(file)
        lines.push(`${weight.toFixed(1).padStart(6)} of ${page.limit}  ${page.path}`)
        if (weight > page.limit) heavy.push(page.path)
      }
      for (const file of later) if ((weights.get(file) ?? 0) > laterLimit) heavy.push(file)
      this.info(`Scripts of each page until it stands, KB of Brotli:\n${lines.join('\n')}`)
      if (heavy.length > 0) this.error(`Heavier than the limit in build/pages.ts: ${heavy.join(', ')}`)
    },
  }
}
