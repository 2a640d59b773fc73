/**
 * The texts of the server's message keys, and of the form rules that use the same keys.
 *
 * A key is also the id of its text in the catalogues. The catalogues are extracted from `common-message-texts.ts`,
 * `cabinet-message-texts.ts` and the files `message-texts.ts` of the folders beside it; no script contains these files. A page loads the
 * catalogues of the keys that it may meet. A key that is in none of the files fails the type check, and a text without a
 * translation fails the build.
 */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isFailure, type MessageKey } from '@/api/failure'
import { i18n } from './i18n'

const networkText = msg`Немає зв’язку із сервером. Перевірте зв’язок з інтернетом і спробуйте ще раз`
const unknownText = msg`Щось пішло не так. Оновіть сторінку й спробуйте ще раз`

/** The text of a key in the current language. */
export function messageText(key: MessageKey, language: I18n = i18n): string {
  // A newer server may send a key that this page does not have.
  return language._(Object.hasOwn(language.messages, key) ? { id: key } : unknownText)
}

/** The text of a failed call: what went wrong and what to do next. */
export function failureText(error: unknown, language: I18n = i18n): string {
  if (!isFailure(error)) return language._(unknownText)
  return error.kind === 'network' ? language._(networkText) : messageText(error.key, language)
}
