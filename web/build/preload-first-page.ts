import type { Plugin, Rolldown } from 'vite'

/** What the first page of most visits needs besides the entry: found by the browser only after the entry has run. */
const firstPage = [
  'src/i18n/locales/uk.po',
  'src/features/auth/login-page.tsx',
  'src/features/auth/locales/uk.po',
]

/** The same for a notary who is signed in and comes to the form of a payment. */
const signedInPage = [
  'src/i18n/locales/uk.po',
  'src/app/shell/shell.tsx',
  'src/app/shell/sections.tsx',
  'src/app/shell/locales/uk.po',
  'src/features/payment-form/payment-page.tsx',
  'src/features/payment-form/locales/uk.po',
]

/**
 * Names the parts of the first page in the document, so that they come along with the entry instead of after it. Those of a signed-in
 * notary stand in a `meta`, since only `start.js` can know whether there is one.
 */
export function preloadFirstPage(): Plugin {
  return {
    name: 'cabinet:preload-first-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk')
        const missing = (sources: readonly string[]) =>
          [...new Set(sources.flatMap((source) => withImports(chunkOf(chunks, source), chunks)))].filter(
            (file) => !html.includes(file),
          )
        const parts = missing(signedInPage).map((file) => `/${file}`)
        const filled = html.replace(
          'name="cabinet-parts" content=""',
          `name="cabinet-parts" content="${parts.join(' ')}"`,
        )
        return {
          html: withScriptsLast(withStylesFirst(filled)),
          tags: missing(firstPage).map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', fetchpriority: 'low', crossorigin: true, href: `/${file}` },
            injectTo: 'head',
          })),
        }
      },
    },
  }
}

/**
 * Nothing can be read before the styles have come: they are asked for before fonts and scripts, but stand behind `start.js`, which would
 * wait for them.
 */
function withStylesFirst(html: string): string {
  const styles = html.match(/ *<link rel="stylesheet"[^>]*>\n/gu)?.join('') ?? ''
  if (styles === '') throw new Error('The document has no styles.')
  const start = '<script src="/start.js"></script>\n'
  return html.replace(styles, '').replace(start, `${start}${styles}`)
}

/** Scripts only bring the page to life; what can be read before them does not share the line with them. */
function withScriptsLast(html: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
    .replaceAll('<script type="module"', '<script type="module" fetchpriority="low"')
}

function chunkOf(chunks: readonly Rolldown.OutputChunk[], source: string): Rolldown.OutputChunk {
  const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(source))
  if (chunk === undefined) throw new Error(`The build has no part for ${source}.`)
  return chunk
}

/** The file of a part, and those it imports at once. */
function withImports(chunk: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]): string[] {
  const imported = chunks.filter(({ fileName }) => chunk.imports.includes(fileName))
  return [chunk.fileName, ...imported.flatMap((part) => withImports(part, chunks))]
}
