import { formatter } from '@lingui/format-po'
import type { LinguiConfig } from '@lingui/conf'

/**
 * Ukrainian is the source language: it stands in the code, English in the `.po` files.
 *
 * Each feature has a catalogue of its own, loaded together with the page that needs it, so that the first page
 * does not load every sentence of the product. The frame's catalogue has what all pages share, the shell's what all pages of a
 * signed-in notary share, also those of fields that only she has. The dialog of a confirmation and the fields of a payment to any requisites, which are loaded after the
 * page, have their own. The texts of the server's messages for accounts, logins, orders and the profile have catalogues for the pages
 * that may meet them.
 */
const config: LinguiConfig = {
  sourceLocale: 'uk',
  locales: ['uk', 'en'],
  catalogs: [
    {
      path: '<rootDir>/src/i18n/locales/{locale}',
      include: ['<rootDir>/src/app', '<rootDir>/src/api', '<rootDir>/src/i18n', '<rootDir>/src/ui'],
      exclude: [
        '**/*.test.*',
        '<rootDir>/src/app/shell/**',
        '<rootDir>/src/app/offline/**',
        '<rootDir>/src/i18n/cabinet-message-texts.ts',
        '<rootDir>/src/i18n/accounts/**',
        '<rootDir>/src/i18n/auth/**',
        '<rootDir>/src/i18n/edit/**',
        '<rootDir>/src/i18n/orders/**',
        '<rootDir>/src/i18n/profile/**',
        '<rootDir>/src/i18n/proof/**',
        '<rootDir>/src/i18n/sheet/**',
        '<rootDir>/src/app/profile-section.tsx',
        '<rootDir>/src/ui/date-field.tsx',
        '<rootDir>/src/ui/load-more.tsx',
        '<rootDir>/src/ui/money-field.tsx',
        '<rootDir>/src/ui/returned/**',
        '<rootDir>/src/ui/text-area.tsx',
      ],
    },
    {
      path: '<rootDir>/src/ui/returned/locales/{locale}',
      include: ['<rootDir>/src/ui/returned'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/app/shell/locales/{locale}',
      include: [
        '<rootDir>/src/app/shell',
        '<rootDir>/src/i18n/cabinet-message-texts.ts',
        '<rootDir>/src/app/profile-section.tsx',
        '<rootDir>/src/lib',
        '<rootDir>/src/ui/date-field.tsx',
        '<rootDir>/src/ui/load-more.tsx',
        '<rootDir>/src/ui/money-field.tsx',
        '<rootDir>/src/ui/text-area.tsx',
      ],
      exclude: ['**/*.test.*', '<rootDir>/src/lib/iban-slip.ts'],
    },
    {
      path: '<rootDir>/src/app/offline/locales/{locale}',
      include: ['<rootDir>/src/app/offline'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/i18n/accounts/locales/{locale}',
      include: ['<rootDir>/src/i18n/accounts', '<rootDir>/src/lib/iban-slip.ts'],
    },
    {
      path: '<rootDir>/src/i18n/auth/locales/{locale}',
      include: ['<rootDir>/src/features/auth', '<rootDir>/src/i18n/auth'],
      exclude: [
        '**/*.test.*',
        '<rootDir>/src/features/auth/confirmation/**',
        '<rootDir>/src/features/auth/further/**',
      ],
    },
    {
      path: '<rootDir>/src/i18n/proof/locales/{locale}',
      include: ['<rootDir>/src/features/auth/further', '<rootDir>/src/i18n/proof'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/i18n/orders/locales/{locale}',
      include: ['<rootDir>/src/i18n/orders'],
    },
    {
      path: '<rootDir>/src/i18n/profile/locales/{locale}',
      include: ['<rootDir>/src/i18n/profile'],
    },
    {
      path: '<rootDir>/src/i18n/sheet/locales/{locale}',
      include: ['<rootDir>/src/i18n/sheet'],
    },
    {
      path: '<rootDir>/src/forms/client-book/locales/{locale}',
      include: ['<rootDir>/src/forms/client-book'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/forms/client-link/locales/{locale}',
      include: ['<rootDir>/src/forms/client-link'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/forms/order-file/locales/{locale}',
      include: ['<rootDir>/src/forms/order-file'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/features/archive/details/locales/{locale}',
      include: ['<rootDir>/src/features/archive/details'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/features/archive/order/locales/{locale}',
      include: ['<rootDir>/src/features/archive/order'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/features/auth/confirmation/locales/{locale}',
      include: ['<rootDir>/src/features/auth/confirmation'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/features/payment-form/stale-fee/locales/{locale}',
      include: ['<rootDir>/src/features/payment-form/stale-fee'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/features/payment-form/requisites/locales/{locale}',
      include: ['<rootDir>/src/features/payment-form/requisites'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/features/payment-form/edit/locales/{locale}',
      include: ['<rootDir>/src/features/payment-form/edit', '<rootDir>/src/i18n/edit'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/features/reports/statement/locales/{locale}',
      include: ['<rootDir>/src/features/reports/statement'],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/features/{name}/locales/{locale}',
      include: ['<rootDir>/src/features/{name}/'],
      exclude: [
        '**/*.test.*',
        '<rootDir>/src/features/archive/details/**',
        '<rootDir>/src/features/archive/order/**',
        '<rootDir>/src/features/auth/**',
        '<rootDir>/src/features/payment-form/stale-fee/**',
        '<rootDir>/src/features/payment-form/requisites/**',
        '<rootDir>/src/features/payment-form/edit/**',
        '<rootDir>/src/features/reports/statement/**',
      ],
    },
  ],
  // Line numbers would change the catalogues with every edit of the code.
  format: formatter({ lineNumbers: false }),
}

export default config
