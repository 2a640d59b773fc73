import { archiveCatalog } from '@/features/archive/catalog'
import { authTexts } from '@/i18n/auth/catalog'
import type { Catalog } from '@/i18n/i18n'
import { profileTexts } from '@/i18n/profile/catalog'
import { proofTexts } from '@/i18n/proof/catalog'

/** The message catalogues; each route names those that its page needs. */
export const catalogs = {
  archive: archiveCatalog,
  auth: authTexts,
  cards: {
    uk: () => import('@/features/cards/locales/uk.po'),
    en: () => import('@/features/cards/locales/en.po'),
  },
  cart: {
    uk: () => import('@/features/cart/locales/uk.po'),
    en: () => import('@/features/cart/locales/en.po'),
  },
  checkout: {
    uk: () => import('@/features/checkout/locales/uk.po'),
    en: () => import('@/features/checkout/locales/en.po'),
  },
  order: {
    uk: () => import('@/features/archive/order/locales/uk.po'),
    en: () => import('@/features/archive/order/locales/en.po'),
  },
  orderMessages: {
    uk: () => import('@/i18n/orders/locales/uk.po'),
    en: () => import('@/i18n/orders/locales/en.po'),
  },
  paymentForm: {
    uk: () => import('@/features/payment-form/locales/uk.po'),
    en: () => import('@/features/payment-form/locales/en.po'),
  },
  profile: {
    uk: () => import('@/features/profile/locales/uk.po'),
    en: () => import('@/features/profile/locales/en.po'),
  },
  profileMessages: profileTexts,
  proof: proofTexts,
  reports: {
    uk: () => import('@/features/reports/locales/uk.po'),
    en: () => import('@/features/reports/locales/en.po'),
  },
  security: {
    uk: () => import('@/features/security/locales/uk.po'),
    en: () => import('@/features/security/locales/en.po'),
  },
  shell: {
    uk: () => import('./shell/locales/uk.po'),
    en: () => import('./shell/locales/en.po'),
  },
  standing: {
    uk: () => import('@/features/standing/locales/uk.po'),
    en: () => import('@/features/standing/locales/en.po'),
  },
  transfers: {
    uk: () => import('@/features/transfers/locales/uk.po'),
    en: () => import('@/features/transfers/locales/en.po'),
  },
} satisfies Record<string, Catalog>
