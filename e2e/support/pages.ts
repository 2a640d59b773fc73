import { pages } from '../../web/build/pages.ts'

type WithoutId<Path extends string> = Path extends `${string}$id${string}` ? never : Path

type PathOf<Layout> = WithoutId<Extract<(typeof pages)[number], { layout: Layout }>['path']>

const plainPaths = <Layout extends 'guest' | 'cabinet'>(layout: Layout): readonly PathOf<Layout>[] =>
  pages.flatMap((page) =>
    page.layout === layout && !page.path.includes('$id') ? [page.path as PathOf<Layout>] : [],
  )

/** The pages of a signed-in notary without an id in their address. */
export const NOTARY_PATHS = plainPaths('cabinet')

/** The pages of a guest, including the login steps. */
export const GUEST_PATHS = plainPaths('guest')

/** The pages of one order. */
export function orderPaths(id: string): readonly string[] {
  return pages.flatMap(({ path }) => (path.startsWith('/order/$id') ? [path.replace('$id', id)] : []))
}

/** An address without a page. */
export const NO_PAGE = '/no-such-page'
