/** All routes. Each page is loaded when it is first opened; the layouts `guest` and `signed-in` decide who may open it. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { catalogs } from './catalogs'
import { LoneErrorPage } from './error-page'
import { requireGuest, requireLoginStep, requireSession, requireSignUpStep } from './guards'
import { GuestLayout } from './guest-layout'
import { LoneNotFoundPage } from './not-found-page'
import { lost, page } from './page'
import { Root } from './root'
import { archiveSearch, paymentSearch, reportSearch } from './search'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's part of the document's title. */
    title?: MessageDescriptor
  }
}

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: LoneNotFoundPage,
  errorComponent: LoneErrorPage,
})

/** Pages of somebody who has not signed in. */
const guestRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'guest',
  component: GuestLayout,
  beforeLoad: requireGuest,
})

const loginRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/login',
  staticData: { title: msg`Вхід` },
  ...page(() => import('@/features/auth/login-page'), catalogs.auth),
})

const loginOtpRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/login/otp',
  staticData: { title: msg`Код із SMS` },
  beforeLoad: requireLoginStep('otp'),
  ...page(() => import('@/features/auth/further/login-otp-page'), catalogs.auth, catalogs.proof),
})

const loginCustomRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/login/otp/custom',
  staticData: { title: msg`Ідентифікатор у реєстрі` },
  beforeLoad: requireLoginStep('custom'),
  ...page(() => import('@/features/auth/further/login-custom-page'), catalogs.auth, catalogs.proof),
})

const loginPhoneCallRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/login/phone-call',
  staticData: { title: msg`Підтвердження дзвінком` },
  beforeLoad: requireLoginStep('phone_call'),
  ...page(() => import('@/features/auth/further/phone-call-page'), catalogs.auth, catalogs.proof),
})

const signUpRoute = createRoute({
  getParentRoute: () => guestRoute,
  path: '/sign-up',
  staticData: { title: msg`Реєстрація` },
  ...page(() => import('@/features/auth/further/sign-up-page'), catalogs.auth, catalogs.proof),
})

/** Open to everybody: at this step the account exists, but its phone is not verified. */
const openRoute = createRoute({ getParentRoute: () => rootRoute, id: 'open', component: GuestLayout })

const signUpOtpRoute = createRoute({
  getParentRoute: () => openRoute,
  path: '/sign-up/otp',
  staticData: { title: msg`Підтвердження телефону` },
  beforeLoad: requireSignUpStep,
  ...page(() => import('@/features/auth/further/sign-up-otp-page'), catalogs.auth, catalogs.proof),
})

/** Pages of the signed-in notary. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: requireSession,
  // The shell itself could not be loaded.
  errorComponent: LoneErrorPage,
  ...page(() => import('./shell/shell'), catalogs.shell),
  // The shell's queries refresh themselves; a navigation inside must not wait for them.
  shouldReload: false,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The payments page and the profile with their tabs. */
const paymentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'payments',
  component: lazyRouteComponent(() => import('./shell/sections').catch(lost), 'PaymentsSection'),
})
const profileSectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'profile',
  component: lazyRouteComponent(() => import('./profile-section').catch(lost), 'ProfileSection'),
})

const createPaymentRoute = createRoute({
  getParentRoute: () => paymentsRoute,
  path: '/',
  staticData: { title: msg`Новий платіж` },
  validateSearch: paymentSearch,
  ...page(() => import('@/features/payment-form/payment-page'), catalogs.paymentForm),
})

const archiveRoute = createRoute({
  getParentRoute: () => paymentsRoute,
  path: '/archive',
  staticData: { title: msg`Архів` },
  validateSearch: archiveSearch,
  // A row that is opened needs no other list.
  loaderDeps: ({ search: { open: _open, ...filter } }) => filter,
  shouldReload: ({ cause }) => cause !== 'stay',
  ...page(() => import('@/features/archive/archive-page'), catalogs.archive, catalogs.orderMessages),
})

const reportsRoute = createRoute({
  getParentRoute: () => paymentsRoute,
  path: '/reports',
  staticData: { title: msg`Звіти` },
  validateSearch: reportSearch,
  loaderDeps: ({ search }) => search,
  ...page(() => import('@/features/reports/reports-page'), catalogs.reports, catalogs.orderMessages),
})

const dealRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/deal',
  staticData: { title: msg`Розрахунок платежів` },
  // The page loads its messages itself: the list of catalogues is in the first script of every page.
  ...page(() => import('@/features/deal/deal-page')),
})

const sheetRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sheet',
  staticData: { title: msg`Платежі з таблиці` },
  ...page(() => import('@/features/sheet/sheet-page')),
})

const cartRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/cart',
  staticData: { title: msg`Кошик` },
  ...page(() => import('./cart-page'), catalogs.cart, catalogs.orderMessages),
})

const cartItemRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/cart/item/$id',
  staticData: { title: msg`Зміна платежу` },
  ...page(() => import('@/features/payment-form/edit/edit-page'), catalogs.paymentForm),
})

const profileRoute = createRoute({
  getParentRoute: () => profileSectionRoute,
  path: '/me',
  staticData: { title: msg`Картка нотаріуса` },
  ...page(() => import('@/features/profile/profile-page'), catalogs.profile, catalogs.profileMessages),
})

const userCardsRoute = createRoute({
  getParentRoute: () => profileSectionRoute,
  path: '/me/user-cards',
  staticData: { title: msg`Мої картки` },
  ...page(() => import('@/features/cards/user-cards-page'), catalogs.cards, catalogs.orderMessages),
})

const bookRoute = createRoute({
  getParentRoute: () => profileSectionRoute,
  path: '/me/book',
  staticData: { title: msg`Довідник` },
  // The page loads its messages itself: the list of catalogues is in the first script of every page.
  ...page(() => import('@/features/book/book-page')),
})

const securityRoute = createRoute({
  getParentRoute: () => profileSectionRoute,
  path: '/me/security',
  staticData: { title: msg`Безпека` },
  ...page(() => import('@/features/security/security-page'), catalogs.security),
})

const orderRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/order/$id',
  component: Outlet,
})

const orderPageRoute = createRoute({
  getParentRoute: () => orderRoute,
  path: '/',
  staticData: { title: msg`Замовлення` },
  ...page(() => import('@/features/archive/order/order-page'), catalogs.order, catalogs.orderMessages),
})

const orderSuccessRoute = createRoute({
  getParentRoute: () => orderRoute,
  path: '/success',
  staticData: { title: msg`Оплата успішна` },
  ...page(() => import('@/features/archive/order/success-page'), catalogs.order, catalogs.orderMessages),
})

const orderErrorRoute = createRoute({
  getParentRoute: () => orderRoute,
  path: '/error',
  staticData: { title: msg`Помилка оплати` },
  ...page(() => import('@/features/archive/order/error-page'), catalogs.order, catalogs.orderMessages),
})

const orderPendingRoute = createRoute({
  getParentRoute: () => orderRoute,
  path: '/pending',
  staticData: { title: msg`Оплата обробляється` },
  ...page(() => import('@/features/archive/order/pending-page'), catalogs.order, catalogs.orderMessages),
})

const orderPaymentStatusRoute = createRoute({
  getParentRoute: () => orderRoute,
  path: '/payment-status',
  staticData: { title: msg`Перевіряємо оплату` },
  ...page(() => import('@/features/archive/order/payment-status-page'), catalogs.order),
})

const orderTransfersRoute = createRoute({
  getParentRoute: () => orderRoute,
  path: '/transfers',
  staticData: { title: msg`Перекази` },
  ...page(() => import('@/features/transfers/transfers-page'), catalogs.transfers, catalogs.orderMessages),
})

export const routeTree = rootRoute.addChildren([
  guestRoute.addChildren([loginRoute, loginOtpRoute, loginCustomRoute, loginPhoneCallRoute, signUpRoute]),
  openRoute.addChildren([signUpOtpRoute]),
  signedInRoute.addChildren([
    paymentsRoute.addChildren([createPaymentRoute, archiveRoute, reportsRoute]),
    profileSectionRoute.addChildren([profileRoute, userCardsRoute, bookRoute, securityRoute]),
    dealRoute,
    sheetRoute,
    cartRoute,
    cartItemRoute,
    orderRoute.addChildren([
      orderPageRoute,
      orderSuccessRoute,
      orderErrorRoute,
      orderPendingRoute,
      orderPaymentStatusRoute,
      orderTransfersRoute,
    ]),
  ]),
])
