/**
 * The list of all pages: the source of the build's chunks, the document's preloads, the size limits and the addresses
 * that the browser tests visit. The routes are in `src/app/routes.tsx`; a test compares both.
 */

interface Layout {
  /** The modules that every page of the layout loads. */
  readonly modules: readonly string[]
  /** The folders, each with a `locales` folder, whose messages every page of the layout loads. */
  readonly catalogues: readonly string[]
}

export const layouts = {
  guest: { modules: ['src/main.tsx'], catalogues: ['src/i18n'] },
  cabinet: {
    modules: ['src/main.tsx', 'src/app/shell/shell.tsx', 'src/app/shell/sections.tsx'],
    catalogues: ['src/i18n', 'src/app/shell'],
  },
} as const satisfies Record<string, Layout>

export interface Page {
  readonly path: string
  readonly layout: keyof typeof layouts
  readonly module: string
  /** The module of the tabs above the page, where the layout does not load them. */
  readonly section?: string
  readonly catalogues: readonly string[]
  /**
   * The size limit of all scripts that are loaded before the page is shown: kilobytes of 1000 bytes, compressed by Brotli, without
   * the names of chunks. In steps of five, so that readable code is never given up for a tenth.
   */
  readonly limit: number
}

const furtherAuth = ['src/i18n/auth', 'src/i18n/proof']
const profileSection = 'src/app/profile-section.tsx'
const orders = 'src/i18n/orders'
const order = ['src/features/archive/order', orders]

export const pages = [
  {
    path: '/login',
    layout: 'guest',
    module: 'src/features/auth/login-page.tsx',
    catalogues: ['src/i18n/auth'],
    limit: 100,
  },
  {
    path: '/login/otp',
    layout: 'guest',
    module: 'src/features/auth/further/login-otp-page.tsx',
    catalogues: furtherAuth,
    limit: 105,
  },
  {
    path: '/login/otp/custom',
    layout: 'guest',
    module: 'src/features/auth/further/login-custom-page.tsx',
    catalogues: furtherAuth,
    limit: 105,
  },
  {
    path: '/login/phone-call',
    layout: 'guest',
    module: 'src/features/auth/further/phone-call-page.tsx',
    catalogues: furtherAuth,
    limit: 105,
  },
  {
    path: '/sign-up',
    layout: 'guest',
    module: 'src/features/auth/further/sign-up-page.tsx',
    catalogues: furtherAuth,
    limit: 105,
  },
  {
    path: '/sign-up/otp',
    layout: 'guest',
    module: 'src/features/auth/further/sign-up-otp-page.tsx',
    catalogues: furtherAuth,
    limit: 105,
  },
  {
    path: '/',
    layout: 'cabinet',
    module: 'src/features/payment-form/payment-page.tsx',
    catalogues: ['src/features/payment-form'],
    limit: 130,
  },
  {
    path: '/deal',
    layout: 'cabinet',
    module: 'src/features/deal/deal-page.tsx',
    catalogues: ['src/features/deal', 'src/i18n/accounts'],
    limit: 140,
  },
  {
    path: '/sheet',
    layout: 'cabinet',
    module: 'src/features/sheet/sheet-page.tsx',
    catalogues: ['src/features/sheet', 'src/i18n/sheet', orders, 'src/i18n/accounts'],
    limit: 130,
  },
  {
    path: '/archive',
    layout: 'cabinet',
    module: 'src/features/archive/archive-page.tsx',
    catalogues: ['src/features/archive', orders],
    limit: 130,
  },
  {
    path: '/reports',
    layout: 'cabinet',
    module: 'src/features/reports/reports-page.tsx',
    catalogues: ['src/features/reports', orders],
    limit: 130,
  },
  {
    path: '/cart',
    layout: 'cabinet',
    module: 'src/app/cart-page.tsx',
    catalogues: ['src/features/cart', 'src/features/checkout', orders, 'src/i18n/accounts'],
    limit: 140,
  },
  {
    path: '/cart/item/$id',
    layout: 'cabinet',
    module: 'src/features/payment-form/edit/edit-page.tsx',
    catalogues: ['src/features/payment-form', 'src/features/payment-form/edit', 'src/i18n/accounts'],
    limit: 135,
  },
  {
    path: '/me',
    layout: 'cabinet',
    module: 'src/features/profile/profile-page.tsx',
    section: profileSection,
    catalogues: ['src/features/profile', 'src/i18n/profile', 'src/i18n/accounts'],
    limit: 125,
  },
  {
    path: '/me/user-cards',
    layout: 'cabinet',
    module: 'src/features/cards/user-cards-page.tsx',
    section: profileSection,
    catalogues: ['src/features/cards', orders],
    limit: 120,
  },
  {
    path: '/me/book',
    layout: 'cabinet',
    module: 'src/features/book/book-page.tsx',
    section: profileSection,
    catalogues: ['src/features/book', 'src/i18n/accounts'],
    limit: 125,
  },
  {
    path: '/me/security',
    layout: 'cabinet',
    module: 'src/features/security/security-page.tsx',
    section: profileSection,
    catalogues: ['src/features/security'],
    limit: 125,
  },
  {
    path: '/order/$id',
    layout: 'cabinet',
    module: 'src/features/archive/order/order-page.tsx',
    catalogues: order,
    limit: 130,
  },
  {
    path: '/order/$id/success',
    layout: 'cabinet',
    module: 'src/features/archive/order/success-page.tsx',
    catalogues: order,
    limit: 125,
  },
  {
    path: '/order/$id/error',
    layout: 'cabinet',
    module: 'src/features/archive/order/error-page.tsx',
    catalogues: order,
    limit: 125,
  },
  {
    path: '/order/$id/pending',
    layout: 'cabinet',
    module: 'src/features/archive/order/pending-page.tsx',
    catalogues: order,
    limit: 125,
  },
  {
    path: '/order/$id/payment-status',
    layout: 'cabinet',
    module: 'src/features/archive/order/payment-status-page.tsx',
    catalogues: ['src/features/archive/order'],
    limit: 120,
  },
  {
    path: '/order/$id/transfers',
    layout: 'cabinet',
    module: 'src/features/transfers/transfers-page.tsx',
    catalogues: ['src/features/transfers', 'src/ui/returned', orders],
    limit: 130,
  },
] as const satisfies readonly Page[]

export type PagePath = (typeof pages)[number]['path']

/** The page that guests and notaries usually see first. */
export const firstPages = { guest: '/login', cabinet: '/' } as const satisfies Record<
  keyof typeof layouts,
  PagePath
>

/** The page of a path. */
export function pageOf(path: PagePath): Page {
  const page = pages.find((each) => each.path === path)
  if (page === undefined) throw new Error(`There is no page ${path}.`)
  return page
}

/** The sources that are loaded before a page is shown, without their imports, with the messages of one language. */
export function sourcesOf(
  { layout, module, section, catalogues }: Page,
  locale: 'uk' | 'en',
): readonly string[] {
  const folders = [...layouts[layout].catalogues, ...catalogues]
  const own = section === undefined ? [module] : [section, module]
  return [...layouts[layout].modules, ...own, ...folders.map((folder) => `${folder}/locales/${locale}.po`)]
}
