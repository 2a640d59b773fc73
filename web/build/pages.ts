/**
 * The list of all pages. From it come the chunks of the build, what the document preloads, the limits of size, and the addresses
 * that the browser tests visit. The routes themselves stand in `src/app/routes.tsx`; a test compares both.
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

interface Page {
  readonly path: string
  readonly layout: keyof typeof layouts
  readonly module: string
  readonly catalogues: readonly string[]
  /** The most that the scripts of the page may weigh until it stands: kilobytes of 1000 bytes, compressed by Brotli. */
  readonly limit: number
}

const auth = ['src/features/auth']
const orderResult = ['src/features/order-result']

export const pages = [
  {
    path: '/login',
    layout: 'guest',
    module: 'src/features/auth/login-page.tsx',
    catalogues: auth,
    limit: 107,
  },
  {
    path: '/login/otp',
    layout: 'guest',
    module: 'src/features/auth/login-otp-page.tsx',
    catalogues: auth,
    limit: 110,
  },
  {
    path: '/login/otp/custom',
    layout: 'guest',
    module: 'src/features/auth/login-custom-page.tsx',
    catalogues: auth,
    limit: 110,
  },
  {
    path: '/login/phone-call',
    layout: 'guest',
    module: 'src/features/auth/phone-call-page.tsx',
    catalogues: auth,
    limit: 110,
  },
  {
    path: '/sign-up',
    layout: 'guest',
    module: 'src/features/auth/sign-up-page.tsx',
    catalogues: auth,
    limit: 110,
  },
  {
    path: '/sign-up/otp',
    layout: 'guest',
    module: 'src/features/auth/sign-up-otp-page.tsx',
    catalogues: auth,
    limit: 110,
  },
  {
    path: '/',
    layout: 'cabinet',
    module: 'src/features/payment-form/payment-page.tsx',
    catalogues: ['src/features/payment-form'],
    limit: 141,
  },
  {
    path: '/archive',
    layout: 'cabinet',
    module: 'src/features/archive/archive-page.tsx',
    catalogues: ['src/features/archive'],
    limit: 135.5,
  },
  {
    path: '/cart',
    layout: 'cabinet',
    module: 'src/app/cart-page.tsx',
    catalogues: ['src/features/cart', 'src/features/checkout'],
    limit: 138,
  },
  {
    path: '/me',
    layout: 'cabinet',
    module: 'src/features/profile/profile-page.tsx',
    catalogues: ['src/features/profile'],
    limit: 131.5,
  },
  {
    path: '/me/user-cards',
    layout: 'cabinet',
    module: 'src/features/cards/user-cards-page.tsx',
    catalogues: ['src/features/cards'],
    limit: 129,
  },
  {
    path: '/order/$id/success',
    layout: 'cabinet',
    module: 'src/features/order-result/success-page.tsx',
    catalogues: orderResult,
    limit: 131.5,
  },
  {
    path: '/order/$id/error',
    layout: 'cabinet',
    module: 'src/features/order-result/error-page.tsx',
    catalogues: orderResult,
    limit: 133,
  },
  {
    path: '/order/$id/pending',
    layout: 'cabinet',
    module: 'src/features/order-result/pending-page.tsx',
    catalogues: orderResult,
    limit: 132,
  },
  {
    path: '/order/$id/payment-status',
    layout: 'cabinet',
    module: 'src/features/order-result/payment-status-page.tsx',
    catalogues: orderResult,
    limit: 130,
  },
] as const satisfies readonly Page[]

export type PagePath = (typeof pages)[number]['path']

/** The page that most guests see first, and the one that most notaries do. */
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

/** The sources that a page loads until it stands, with its messages in one language; what these import comes along. */
export function sourcesOf({ layout, module, catalogues }: Page, locale: 'uk' | 'en'): readonly string[] {
  const folders = [...layouts[layout].catalogues, ...catalogues]
  return [...layouts[layout].modules, module, ...folders.map((folder) => `${folder}/locales/${locale}.po`)]
}
