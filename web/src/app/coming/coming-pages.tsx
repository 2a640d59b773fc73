/**
 * Static HTML of the first pages: the login and the payment form as far as they can be shown without scripts, so that
 * there is something to read as soon as the document and its styles have loaded. The build writes it into `index.html`,
 * `start.js` chooses the page to show, and the rendered page replaces it.
 */
import { setupI18n, type Messages } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { messages as loginEn } from '@/i18n/auth/locales/en.po'
import { messages as loginUk } from '@/i18n/auth/locales/uk.po'
import { messages as paymentEn } from '@/features/payment-form/locales/en.po'
import { messages as paymentUk } from '@/features/payment-form/locales/uk.po'
import { holdShortWordsIn } from '@/i18n/hold-short-words'
import { messages as frameEn } from '@/i18n/locales/en.po'
import { messages as frameUk } from '@/i18n/locales/uk.po'
import type { Locale } from '@/lib/locale'
import { ComingLogin } from './coming-login'
import { ComingPayment } from './coming-payment'

const messages: Record<Locale, Messages> = {
  uk: holdShortWordsIn({ ...frameUk, ...loginUk, ...paymentUk }),
  en: holdShortWordsIn({ ...frameEn, ...loginEn, ...paymentEn }),
}
const pages = { login: <ComingLogin />, payment: <ComingPayment /> }

/** Every page in every language, hidden; `theme.css` shows the chosen one. */
export function comingPages(): string {
  return (['uk', 'en'] as const)
    .flatMap((locale) =>
      Object.entries(pages).map(([name, page]) =>
        renderToStaticMarkup(
          <div hidden data-coming={name} lang={locale}>
            <I18nProvider i18n={setupI18n({ locale, messages: { [locale]: messages[locale] } })}>
              {page}
            </I18nProvider>
          </div>,
        ),
      ),
    )
    .join('')
}
