import type { Plugin } from 'vite'
import { scriptsOf } from './page-scripts'
import { firstPages, pageOf, pages, type Page } from './pages'

/**
 * Writes preloads of the first pages into the document, so that their scripts are loaded in parallel with the entry.
 * Those that only guests or only notaries need are listed in `meta` elements, from which `start.js` chooses.
 */
export function preloadPages(): Plugin {
  return {
    name: 'cabinet:preload-pages',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk')
        // The document loads the entry and its imports anyway.
        const missing = (page: Page) => scriptsOf(page, 'uk', chunks).filter((file) => !html.includes(file))
        const login = missing(pageOf(firstPages.guest))
        const payment = missing(pageOf(firstPages.cabinet))
        const cabinet = sharedBy(pages.filter(({ layout }) => layout === 'cabinet').map(missing))
        const common = sharedBy([login, cabinet])
        const parts = {
          'login-parts': without(login, common),
          'cabinet-parts': without(cabinet, common),
          'payment-parts': without(payment, cabinet),
        }
        return {
          html: withScriptsLast(withStylesFirst(Object.entries(parts).reduce(withParts, html))),
          tags: common.map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', fetchpriority: 'low', crossorigin: true, href: `/${file}` },
            injectTo: 'head',
          })),
        }
      },
    },
  }
}

/** The files that are in all lists. */
function sharedBy([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  return first.filter((file) => others.every((files) => files.includes(file)))
}

function without(files: readonly string[], others: readonly string[]): readonly string[] {
  return files.filter((file) => !others.includes(file))
}

/** Fills in the `meta` of a name. */
function withParts(html: string, [name, files]: [string, readonly string[]]): string {
  const empty = `name="${name}" content=""`
  if (!html.includes(empty)) throw new Error(`The document has no empty ${name}.`)
  return html.replace(empty, `name="${name}" content="${files.map((file) => `/${file}`).join(' ')}"`)
}

/**
 * Moves the styles before fonts and scripts, since nothing can be shown without them, but behind `start.js`, which
 * would wait for them.
 */
function withStylesFirst(html: string): string {
  const styles = html.match(/ *<link rel="stylesheet"[^>]*>\n/gu)?.join('') ?? ''
  if (styles === '') throw new Error('The document has no styles.')
  const start = '<script src="/start.js"></script>\n'
  return html.replace(styles, '').replace(start, `${start}${styles}`)
}

/** Gives scripts a low priority, so that they do not delay styles and fonts. */
function withScriptsLast(html: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
    .replaceAll('<script type="module"', '<script type="module" fetchpriority="low"')
}
