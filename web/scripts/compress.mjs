// Writes .br and .gz files beside every text file of the build, so that the server does not compress at run time.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const compressed = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt'])
const folder = new URL('../dist/', import.meta.url).pathname

for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressed.has(extname(entry.name))) continue
  const path = join(entry.parentPath, entry.name)
  const content = await readFile(path)
  const brotli = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
  await writeFile(`${path}.br`, brotli)
  await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }))
}
