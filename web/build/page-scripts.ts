import type { Rolldown } from 'vite'
import { sourcesOf, type pageOf } from './pages'

type Chunk = Rolldown.OutputChunk

/** The chunks that are loaded for a source; fails where the list of pages names a source that is in none. */
function chunksOf(chunks: readonly Chunk[], source: string): readonly Chunk[] {
  const found = chunks.filter(
    ({ facadeModuleId, moduleIds }) =>
      facadeModuleId?.endsWith(source) === true || moduleIds.some((id) => id.endsWith(source)),
  )
  if (found.length === 0) throw new Error(`The build has no chunk for ${source}, which build/pages.ts names.`)
  return found
}

/** The files of all scripts that a page loads until it stands. */
export function scriptsOf(
  page: ReturnType<typeof pageOf>,
  locale: 'uk' | 'en',
  chunks: readonly Chunk[],
): readonly string[] {
  const found = new Set<string>()
  // Not the entry itself: it holds nothing of its own, so the build leaves it out.
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
