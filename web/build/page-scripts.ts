import type { Rolldown } from 'vite'
import { sourcesOf, type Page } from './pages'

type Chunk = Rolldown.OutputChunk

/** The chunks that are loaded for a source. Throws if there is none. */
function chunksOf(chunks: readonly Chunk[], source: string): readonly Chunk[] {
  const found = chunks.filter(
    ({ facadeModuleId, moduleIds }) =>
      facadeModuleId?.endsWith(source) === true || moduleIds.some((id) => id.endsWith(source)),
  )
  if (found.length === 0) throw new Error(`The build has no chunk for ${source}, which build/pages.ts names.`)
  return found
}

/** The files of all scripts that are loaded before a page is shown. */
export function scriptsOf(page: Page, locale: 'uk' | 'en', chunks: readonly Chunk[]): readonly string[] {
  const found = new Set<string>()
  const wanted = sourcesOf(page, locale)
    .flatMap((source) => chunksOf(chunks, source))
    .map(({ fileName }) => fileName)
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (found.has(file)) continue
    found.add(file)
    wanted.push(...(chunks.find(({ fileName }) => fileName === file)?.imports ?? []))
  }
  return [...found]
}
