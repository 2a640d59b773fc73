import { I18nProvider } from '@lingui/react'
import { render } from '@testing-library/react'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { i18n, switchLocale } from '@/i18n/i18n'

/** Draws a part of the design system as a page would, with its words in Ukrainian. */
export async function renderUi(element: ReactElement): Promise<UserEvent> {
  await switchLocale('uk')
  render(<I18nProvider i18n={i18n}>{element}</I18nProvider>)
  return userEvent.setup()
}
