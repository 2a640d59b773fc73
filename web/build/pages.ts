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
   * the names of chunks. It has a fraction because what all pages share, such as the routes and the page of an error, grows by less
   * than a kilobyte at a time.
   */
  readonly limit: number
}

const auth = ['src/features/auth', 'src/i18n/auth']
const profileSection = 'src/app/profile-section.tsx'
const orders = 'src/i18n/orders'
const orderResult = ['src/features/order-result', orders]

export const pages = [
  {
    path: '/login',
    layout: 'guest',
    module: 'src/features/auth/login-page.tsx',
    catalogues: auth,
    limit: 100.5,
  },
  {
    path: '/login/otp',
    layout: 'guest',
    module: 'src/features/auth/login-otp-page.tsx',
    catalogues: auth,
    limit: 102.4,
  },
  {
    path: '/login/otp/custom',
    layout: 'guest',
    module: 'src/features/auth/login-custom-page.tsx',
    catalogues: auth,
    limit: 101.4,
  },
  {
    path: '/login/phone-call',
    layout: 'guest',
    module: 'src/features/auth/phone-call-page.tsx',
    catalogues: auth,
    limit: 101.9,
  },
  {
    path: '/sign-up',
    layout: 'guest',
    module: 'src/features/auth/sign-up-page.tsx',
    catalogues: auth,
    limit: 101.4,
  },
  {
    path: '/sign-up/otp',
    layout: 'guest',
    module: 'src/features/auth/sign-up-otp-page.tsx',
    catalogues: auth,
    limit: 102.4,
  },
  {
    path: '/',
    layout: 'cabinet',
    module: 'src/features/payment-form/payment-page.tsx',
    catalogues: ['src/features/payment-form'],
    // Two tenths for the button that waits for fields that are still being loaded, five for sums that are read as they were typed.
    limit: 125.2,
  },
  {
    path: '/deal',
    layout: 'cabinet',
    module: 'src/features/deal/deal-page.tsx',
    catalogues: ['src/features/deal', 'src/i18n/accounts'],
    // 2 KB for what saves presses: the answers of last time, known clients, pasted names; and for the document. Half a kilobyte for
    // what is said of a lost answer, and for the undo; a tenth for what the form says of it after a reload, and one for the focus after
    // the answers of last time and the text of the limit of a day, and one for dialogs that a scrollbar does not close and for names that
    // are marked as Ukrainian; four for fields that are held while they are saved, and for an answer that comes after the page was left;
    // seven for sums that are read as they were typed.
    limit: 137.8,
  },
  {
    path: '/sheet',
    layout: 'cabinet',
    module: 'src/features/sheet/sheet-page.tsx',
    catalogues: ['src/features/sheet', 'src/i18n/sheet', orders, 'src/i18n/accounts'],
    // Half a kilobyte for what is said of rows that were changed and not checked, and for the focus after a press. A tenth for dialogs
    // that a scrollbar does not close and for names that are marked as Ukrainian. Three for an answer that comes after the page was left,
    // six for sums that are read as they were typed.
    limit: 136.8,
  },
  {
    path: '/archive',
    layout: 'cabinet',
    module: 'src/features/archive/archive-page.tsx',
    catalogues: ['src/features/archive', orders],
    limit: 126.3,
  },
  {
    path: '/reports',
    layout: 'cabinet',
    module: 'src/features/reports/reports-page.tsx',
    catalogues: ['src/features/reports', orders],
    limit: 125.3,
  },
  {
    path: '/cart',
    layout: 'cabinet',
    module: 'src/app/cart-page.tsx',
    catalogues: ['src/features/cart', 'src/features/checkout', orders, 'src/i18n/accounts'],
    // A tenth for dialogs that a scrollbar does not close and for purposes that are marked as Ukrainian, and three for what was typed of
    // an act and is saved with its order.
    limit: 133.2,
  },
  {
    path: '/cart/item/$id',
    layout: 'cabinet',
    module: 'src/features/payment-form/edit/edit-page.tsx',
    catalogues: ['src/features/payment-form', 'src/features/payment-form/edit', 'src/i18n/accounts'],
    // Two tenths for fields that are held while they are saved, for those that are still being loaded, and for an answer that comes after
    // the page was left. Six for sums that are read as they were typed.
    limit: 131.4,
  },
  {
    path: '/me',
    layout: 'cabinet',
    module: 'src/features/profile/profile-page.tsx',
    section: profileSection,
    catalogues: ['src/features/profile', 'src/i18n/profile'],
    limit: 120.3,
  },
  {
    path: '/me/user-cards',
    layout: 'cabinet',
    module: 'src/features/cards/user-cards-page.tsx',
    section: profileSection,
    catalogues: ['src/features/cards', orders],
    limit: 117,
  },
  {
    path: '/me/book',
    layout: 'cabinet',
    module: 'src/features/book/book-page.tsx',
    section: profileSection,
    catalogues: ['src/features/book', 'src/i18n/accounts'],
    limit: 121.5,
  },
  {
    path: '/me/security',
    layout: 'cabinet',
    module: 'src/features/security/security-page.tsx',
    section: profileSection,
    catalogues: ['src/features/security'],
    limit: 120.6,
  },
  {
    path: '/order/$id',
    layout: 'cabinet',
    module: 'src/features/archive/order-page.tsx',
    catalogues: ['src/features/archive', orders],
    // A tenth for the text of the limit of a day, which every page of a notary has, and one for what was typed of an act.
    limit: 127,
  },
  {
    path: '/order/$id/success',
    layout: 'cabinet',
    module: 'src/features/order-result/success-page.tsx',
    catalogues: orderResult,
    // A tenth of a kilobyte for the titles of what was given back, also in the texts that the page of an error shares.
    // A tenth for what was typed of an act, which is saved with its order.
    limit: 121.8,
  },
  {
    path: '/order/$id/error',
    layout: 'cabinet',
    module: 'src/features/order-result/error-page.tsx',
    catalogues: orderResult,
    // A tenth for what was typed of an act, which is saved with its order.
    limit: 123.1,
  },
  {
    path: '/order/$id/pending',
    layout: 'cabinet',
    module: 'src/features/order-result/pending-page.tsx',
    catalogues: orderResult,
    limit: 121.4,
  },
  {
    path: '/order/$id/payment-status',
    layout: 'cabinet',
    module: 'src/features/order-result/payment-status-page.tsx',
    catalogues: orderResult,
    limit: 118.7,
  },
  {
    path: '/order/$id/transfers',
    layout: 'cabinet',
    module: 'src/features/transfers/transfers-page.tsx',
    catalogues: ['src/features/transfers', orders],
    limit: 125.2,
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
