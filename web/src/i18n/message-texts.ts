/**
 * The words for every key of the server's catalogue of messages, and for the form rules that use the same keys.
 *
 * Here are those that can be met before signing in; `cabinet-message-texts.ts` has the rest. Its record is typed over all keys
 * of the server that are not here: a key without its words fails the type check, and words without their English twin
 * fail the build.
 */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isFailure, type MessageKey } from '@/api/failure'
import { i18n } from './i18n'

const entryTexts = {
  phone_required: msg`Введіть номер телефону`,
  phone_incorrect: msg`Номер телефону неповний або неправильний. Перевірте його`,
  phone_in_use: msg`Цей номер телефону вже зареєстровано. Увійдіть за ним до кабінету`,
  phone_not_exist: msg`Цей номер телефону не зареєстровано. Перевірте номер або зареєструйтеся`,
  agreed_required: msg`Щоб увійти, погодьтеся з новими умовами`,
  is_agree_checked: msg`Щоб зареєструватися, погодьтеся з умовами`,
  user_not_found: msg`Користувача не знайдено`,
  user_not_agreed_with_new_terms: msg`Умови публічної оферти оновлено. Погодьтеся з ними, щоб увійти`,
  otp_code_required: msg`Введіть OTP код`,
  otp_incorrect: msg`Не вірний формат OTP коду`,
  wrong_otp: msg`Неправильний код. Перевірте його й спробуйте ще раз`,
  otp_expired: msg`Строк дії коду минув. Отримайте новий код`,
  otp_tries_exhausted: msg`Спроби ввести цей код вичерпано. Отримайте новий код`,
  otp_not_sent: msg`Не вдалося надіслати код. Спробуйте, будь ласка, пізніше`,
  otp_too_soon: msg`Попередній код або дзвінок ще дійсний`,
  too_many_codes: msg`Забагато спроб із цим номером. Спробуйте пізніше`,
  too_many_codes_from_address: msg`Забагато спроб із вашої мережі. Спробуйте пізніше`,
  too_many_requests: msg`Забагато спроб. Зачекайте трохи й спробуйте ще раз`,
  login_step_wrong: msg`Для цього номера потрібен інший спосіб входу. Почніть вхід спочатку`,
  operation_unknown: msg`Цей вхід уже недійсний. Почніть вхід спочатку`,
  call_not_confirmed: msg`Дзвінок не підтверджено`,
  call_already_used: msg`За цим дзвінком уже виконано вхід. Почніть вхід спочатку`,
  call_not_placed: msg`Не вдалося зателефонувати на цей номер. Спробуйте ще раз за хвилину`,
  full_name_required: msg`Введіть прізвище, ім’я та по батькові`,
  registry_identifier_required: msg`Введіть ідентифікатор у реєстрі`,
  registry_identifier_invalid: msg`Ідентифікатор у реєстрі – це від 4 до 15 літер і цифр`,
  session_expired: msg`Сеанс завершився. Увійдіть ще раз`,
  unauthorized: msg`Увійдіть до кабінету`,
  forbidden: msg`Ця дія вам недоступна`,
  not_found: msg`Такого запису немає`,
  body_unreadable: msg`Сервер не зміг прочитати запит. Оновіть сторінку`,
  field_type_wrong: msg`Неправильне значення поля. Перевірте його`,
  field_required: msg`Заповніть це поле`,
  text_invalid: msg`Текст містить недозволені символи. Введіть його заново`,
  text_too_long: msg`Текст задовгий. Скоротіть його`,
  validation_failed: msg`Деякі поля заповнено неправильно. Перевірте їх`,
  internal_error: msg`На сервері сталася помилка. Спробуйте ще раз; якщо вона повториться, зверніться до служби підтримки`,
  service_unavailable: msg`Сервер тимчасово недоступний. Спробуйте ще раз за хвилину`,
} satisfies Partial<Record<MessageKey, MessageDescriptor>>

export type EntryMessageKey = keyof typeof entryTexts

const texts: Partial<Record<MessageKey, MessageDescriptor>> = { ...entryTexts }

/** Makes the words of more keys known. */
export function addMessageTexts(more: Partial<Record<MessageKey, MessageDescriptor>>): void {
  Object.assign(texts, more)
}

const networkText = msg`Немає зв’язку із сервером. Перевірте зв’язок з інтернетом і спробуйте ще раз`
const unknownText = msg`Щось пішло не так. Оновіть сторінку й спробуйте ще раз`

/** The words for a key, in the language spoken now. */
export function messageText(key: MessageKey, language: I18n = i18n): string {
  // A server newer than this page may know a key that the page does not.
  return language._(texts[key] ?? unknownText)
}

/** The words for whatever a call has thrown: what went wrong and what to do next. */
export function failureText(error: unknown, language: I18n = i18n): string {
  if (!isFailure(error)) return language._(unknownText)
  return error.kind === 'network' ? language._(networkText) : messageText(error.key, language)
}
