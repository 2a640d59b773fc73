import type { Plugin } from 'vite'
import { scriptsOf } from './page-scripts'
import { firstPages, pageOf } from './pages'

/**
 * Names the parts of the first page in the document, so that they come along with the entry instead of after it. Those of a signed-in
 * notary stand in a `meta`, since only `start.js` can know whether there is one.
 */
export function preloadFirstPages(): Plugin {
  return {
    name: 'cabinet:preload-first-pages',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk')
        // The document asks for the entry and its imports by itself.
        const missing = (layout: keyof typeof firstPages) =>
          scriptsOf(pageOf(firstPages[layout]), 'uk', chunks).filter((file) => !html.includes(file))
        const parts = missing('cabinet').map((file) => `/${file}`)
        const filled = html.replace(
          'name="cabinet-parts" content=""',
          `name="cabinet-parts" content="${parts.join(' ')}"`,
        )
        return {
          html: withScriptsLast(withStylesFirst(filled)),
          tags: missing('guest').map((file) => ({
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
