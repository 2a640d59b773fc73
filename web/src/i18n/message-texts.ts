/**
 * The words for every key of the server's catalogue of messages, and for the form rules that use the same keys.
 *
 * The record is typed over the server's own list: a key without its words fails the type check here, and words without
 * their English twin fail the build.
 */
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isFailure, type MessageKey } from '@/api/failure'
import { i18n } from './i18n'

const texts: Record<MessageKey, MessageDescriptor> = {
  phone_required: msg`Введіть номер телефону`,
  phone_incorrect: msg`Номер телефону неповний або неправильний`,
  phone_in_use: msg`Цей номер телефону вже зареєстровано. Увійдіть до кабінету з ним`,
  phone_not_exist: msg`Такого номера телефону в кабінеті немає. Перевірте номер або зареєструйтеся`,
  agreed_required: msg`Щоб увійти, погодьтеся з новими умовами`,
  is_agree_checked: msg`Щоб зареєструватися, погодьтеся з умовами`,
  user_not_found: msg`Користувача не знайдено`,
  user_not_agreed_with_new_terms: msg`Умови користування оновлено. Погодьтеся з ними, щоб увійти`,

  otp_code_required: msg`Введіть OTP код`,
  otp_incorrect: msg`Не вірний формат OTP коду`,
  wrong_otp: msg`Код не підійшов. Перевірте його й спробуйте ще раз`,
  otp_expired: msg`Строк дії коду минув. Надішліть новий код`,
  otp_tries_exhausted: msg`Спроби для цього коду вичерпано. Надішліть новий код`,
  otp_not_sent: msg`Не вдалося надіслати код. Спробуйте, будь ласка, пізніше`,
  too_many_codes: msg`Забагато кодів на цей номер. Спробуйте пізніше`,
  too_many_requests: msg`Забагато спроб. Зачекайте трохи й спробуйте ще раз`,
  login_step_wrong: msg`Для цього номера потрібен інший спосіб входу. Почніть вхід спочатку`,
  operation_unknown: msg`Цей вхід уже недійсний. Почніть його спочатку`,
  call_not_confirmed: msg`Дзвінок не підтверджено`,
  call_not_placed: msg`Не вдалося зателефонувати на цей номер. Спробуйте ще раз за хвилину`,

  full_name_required: msg`Введіть прізвище, ім’я та по батькові`,
  registry_identifier_required: msg`Введіть ідентифікатор у реєстрі`,
  registry_identifier_invalid: msg`Ідентифікатор у реєстрі – це до 15 літер і цифр`,
  certificate_number_invalid: msg`Номер свідоцтва складається лише з цифр`,
  email_invalid: msg`Адреса електронної пошти неправильна`,
  date_invalid: msg`Такої дати немає. Введіть її як ДД.ММ.РРРР`,
  card_pan_invalid: msg`Номер картки неправильний: перевірте всі 16 цифр`,

  client_inn_required: msg`Введіть код клієнта`,
  client_inn_format_invalid: msg`Код має бути з 10, 9 або 8 цифр або з двох літер і шести цифр паспорта`,
  client_inn_same_digits: msg`Код не може складатися з десяти однакових цифр`,
  client_full_name_required: msg`Введіть ім’я клієнта`,
  payment_type_required: msg`Виберіть вид платежу`,
  payment_type_unknown: msg`Такого виду платежу немає`,
  payment_type_option_required: msg`Виберіть послугу`,
  payment_type_option_term_required: msg`Виберіть строк`,
  term_not_for_option: msg`Цей строк не належить до вибраної послуги`,
  payment_type_region_required: msg`Виберіть регіон`,
  region_unknown: msg`Такого регіону немає`,
  payment_type_requisite_required: msg`Виберіть отримувача`,
  requisite_not_for_region: msg`Цей отримувач не належить до вибраного регіону`,
  option_not_for_type: msg`Ця послуга не належить до вибраного виду платежу`,
  requisite_not_for_term: msg`Цей отримувач не приймає платежі за вибраним строком`,
  requisite_expired: msg`Рахунок отримувача змінився. Виберіть отримувача ще раз`,
  fee_not_in_force: msg`Сьогодні для цього вибору немає чинної ставки`,
  template_unknown: msg`Такого шаблону вже немає`,
  your_iban_required: msg`Введіть свій рахунок IBAN`,
  your_okpo_required: msg`Введіть свій код ЄДРПОУ або РНОКПП`,
  iban_required: msg`Введіть рахунок IBAN отримувача`,
  iban_invalid: msg`IBAN неправильний: після UA має бути 27 цифр, і контрольне число має збігатися`,
  iban_balance_code_by_okpo_rule: msg`Рахунок 2620 не підходить до коду фізичної особи. Вкажіть рахунок для професійної діяльності`,
  okpo_required: msg`Введіть код отримувача`,
  okpo_invalid: msg`Код має складатися з 8 або 10 цифр`,
  recipient_name_required: msg`Введіть назву отримувача`,
  purpose_required: msg`Введіть призначення платежу`,
  purpose_max_height: msg`Призначення платежу може мати щонайбільше 160 символів`,
  purpose_invalid: msg`Для рахунку казначейства призначення починається з трьох цифр коду виду сплати, наприклад «101 Адмінзбір за …»`,
  purpose_must_contains_ipn: msg`Призначення має містити код клієнта або ваш код`,
  cbc_length: msg`Код бюджетної класифікації має складатися з 8 цифр`,
  amount_required: msg`Введіть суму`,
  amount_invalid: msg`Сума має бути більшою за нуль, не більше двох цифр після коми`,
  price_changed: msg`Ціна змінилася. Перевірте нову суму перед оплатою`,

  cart_item_not_found: msg`Цього платежу вже немає в кошику`,
  cart_group_empty: msg`У кошику вже немає платежів цього клієнта`,
  cart_already_ordered: msg`Ці платежі вже оформлено іншим замовленням`,
  cart_full: msg`Кошик заповнено. Оплатіть або вилучіть частину платежів`,
  count_invalid: msg`Кількість має бути від 1 до 999`,
  complaint_text_required: msg`Опишіть, що не так із цим платежем`,

  idempotency_key_reused: msg`Це замовлення вже надіслано з іншими даними. Оновіть сторінку`,
  idempotency_key_invalid: msg`Замовлення не вдалося надіслати. Оновіть сторінку й спробуйте ще раз`,
  card_number_not_accepted: msg`Повний номер картки тут не приймається`,
  card_not_found: msg`Збереженої картки вже немає. Виберіть іншу`,
  order_not_found: msg`Такого замовлення немає`,
  order_not_payable: msg`Це замовлення вже не можна оплатити`,
  order_not_paid: msg`Замовлення ще не оплачено`,
  receipt_not_available: msg`Квитанція ще не готова. Спробуйте за хвилину`,
  receipt_type_invalid: msg`Такої квитанції немає`,
  status_invalid: msg`Такого стану замовлення немає`,
  period_invalid: msg`Кінець періоду раніший за його початок`,
  acquirer_unavailable: msg`Платіжна служба зараз не відповідає. Спробуйте пізніше`,
  acquirer_refused: msg`Платіжна служба відхилила платіж`,
  payment_outcome_unknown: msg`Платіж обробляється. Не оплачуйте його вдруге`,
  payment_declined: msg`Банк відхилив платіж`,
  payment_insufficient_funds: msg`На картці недостатньо грошей`,
  payment_card_unusable: msg`Картку заблоковано або строк її дії минув`,
  payment_limit_exceeded: msg`Перевищено ліміт картки`,
  payment_not_confirmed: msg`Платіж не підтверджено в банку`,
  payment_expired: msg`Час на оплату минув`,

  session_expired: msg`Сеанс завершився. Увійдіть ще раз`,
  unauthorized: msg`Увійдіть до кабінету`,
  forbidden: msg`Ця дія вам недоступна`,
  not_found: msg`Такого запису немає`,
  method_not_allowed: msg`Сервер не знає такої дії. Оновіть сторінку`,
  conflict: msg`Дані змінилися в іншій вкладці. Оновіть сторінку`,

  body_unreadable: msg`Сервер не зміг прочитати запит. Оновіть сторінку`,
  body_too_large: msg`Запит завеликий`,
  field_type_wrong: msg`Значення поля неправильне`,
  field_required: msg`Заповніть це поле`,
  number_invalid: msg`Число виходить за дозволені межі`,
  text_invalid: msg`Текст містить недозволені знаки`,
  text_too_long: msg`Текст задовгий`,
  id_invalid: msg`Посилання неправильне`,
  locale_invalid: msg`Такої мови кабінет не знає`,
  validation_failed: msg`Деякі поля заповнено неправильно. Перевірте їх`,
  internal_error: msg`На сервері сталася помилка. Спробуйте ще раз; якщо вона повториться, напишіть у підтримку`,
  service_unavailable: msg`Сервер тимчасово недоступний. Спробуйте за хвилину`,
}

const networkText = msg`Немає зв’язку з сервером. Перевірте інтернет і спробуйте ще раз`
const unknownText = msg`Щось пішло не так. Оновіть сторінку й спробуйте ще раз`

/** The words for a key, in the language spoken now. */
export function messageText(key: MessageKey, language: I18n = i18n): string {
  // A server newer than this page may know a key that the page does not.
  const known: MessageDescriptor | undefined = texts[key]
  return language._(known ?? unknownText)
}

/** The words for whatever a call has thrown: what went wrong and what to do next. */
export function failureText(error: unknown, language: I18n = i18n): string {
  if (!isFailure(error)) return language._(unknownText)
  return error.kind === 'network' ? language._(networkText) : messageText(error.key, language)
}
