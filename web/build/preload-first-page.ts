import type { Plugin } from 'vite'

/** What the first page of most visits needs besides the entry: found by the browser only after the entry has run. */
const firstPage = [
  'src/i18n/locales/uk.po',
  'src/features/auth/login-page.tsx',
  'src/features/auth/locales/uk.po',
]

/** Names the parts of the first page in the document, so that they come along with the entry instead of after it. */
export function preloadFirstPage(): Plugin {
  return {
    name: 'cabinet:preload-first-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk')
        const files = new Set<string>()
        for (const source of firstPage) {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(source))
          if (chunk === undefined) throw new Error(`The build has no part for ${source}.`)
          for (const file of [chunk.fileName, ...chunk.imports]) {
            if (!html.includes(file)) files.add(file)
          }
        }
        return [...files].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        }))
      },
    },
  }
}
