import { readFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { scriptsOf } from './page-scripts'
import { pages } from './pages'

/** Kilobytes of 1000 bytes, compressed by Brotli. */
const weigh = (script: string) => brotliCompressSync(script).length / 1000

/** Fails the build when the scripts of a page weigh more than its limit. Ukrainian messages count: they weigh more than English ones. */
export function limits(): Plugin {
  return {
    name: 'cabinet:limits',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const weights = new Map(chunks.map(({ fileName, code }) => [fileName, weigh(code)]))
      const start = weigh(await readFile(new URL('../public/start.js', import.meta.url), 'utf8'))
      const lines: string[] = []
      const heavy: string[] = []
      for (const page of pages) {
        const scripts = scriptsOf(page, 'uk', chunks)
        const weight = scripts.reduce((sum, file) => sum + (weights.get(file) ?? 0), start)
        lines.push(`${weight.toFixed(1).padStart(6)} of ${page.limit}  ${page.path}`)
        if (weight > page.limit) heavy.push(page.path)
      }
      this.info(`Scripts of each page until it stands, KB of Brotli:\n${lines.join('\n')}`)
      if (heavy.length > 0) this.error(`Heavier than the limit in build/pages.ts: ${heavy.join(', ')}`)
    },
  }
}
