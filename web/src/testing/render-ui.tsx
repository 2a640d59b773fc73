import { I18nProvider } from '@lingui/react'
import { render } from '@testing-library/react'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { i18n, switchLocale } from '@/i18n/i18n'
import type { Locale } from '@/lib/locale'

/** Renders a component of the design system, in Ukrainian by default. */
export async function renderUi(element: ReactElement, locale: Locale = 'uk'): Promise<UserEvent> {
  await switchLocale(locale)
  render(<I18nProvider i18n={i18n}>{element}</I18nProvider>)
  return userEvent.setup()
}
