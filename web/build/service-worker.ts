import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Files that only the server's own pages and robots read, and what changes nothing offline. */
const notKept = /^\/(?:index\.html|robots\.txt|fonts\.css)$|\.(?:br|gz|map)$/u

/**
 * Writes `/sw.js`, the service worker, with the list of all built files. Its version is a digest of their contents, so any change of
 * them is a new version.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'cabinet:service-worker',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = 'dist' }) {
        const entries = await readdir(dir, { recursive: true, withFileTypes: true })
        const built = entries
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(dir.length))
        const files = built.filter((file) => file !== '/sw.js' && !notKept.test(file)).toSorted()
        const source = await readFile(new URL('service-worker-source.js', import.meta.url), 'utf8')
        const version = createHash('sha256').update(source)
        const named = ['/index.html', ...files]
        const contents = await Promise.all(named.map((file) => readFile(join(dir, file))))
        named.forEach((file, index) => version.update(file).update(contents[index] ?? ''))
        const head = `const VERSION = '${version.digest('hex').slice(0, 16)}'\nconst FILES = ${JSON.stringify(files)}\n`
        await writeFile(join(dir, 'sw.js'), head + source)
      },
    },
  }
}
