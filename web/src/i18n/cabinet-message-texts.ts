/** The texts of the message keys that any page of a signed-in notary may show. They are in the catalogue of the shell. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MessageKey } from '@/api/failure'
import type { accountTexts } from './accounts/message-texts'
import type { authTexts } from './auth/message-texts'
import type { proofTexts } from './proof/message-texts'
import type { commonTexts } from './common-message-texts'
import type { editTexts } from './edit/message-texts'
import type { orderTexts } from './orders/message-texts'
import type { profileTexts } from './profile/message-texts'
import type { sheetTexts } from './sheet/message-texts'

export const cabinetTexts: Record<
  Exclude<
    MessageKey,
    | keyof typeof accountTexts
    | keyof typeof authTexts
    | keyof typeof proofTexts
    | keyof typeof commonTexts
    | keyof typeof editTexts
    | keyof typeof orderTexts
    | keyof typeof profileTexts
    | keyof typeof sheetTexts
  >,
  MessageDescriptor
> = {
  too_many_today: msg({
    id: 'too_many_today',
    message: 'На сьогодні таких дій забагато. Спробуйте завтра',
  }),
  client_inn_required: msg({ id: 'client_inn_required', message: 'Введіть код клієнта' }),
  client_inn_format_invalid: msg({
    id: 'client_inn_format_invalid',
    message: 'Код складається з 10, 9 або 8 цифр або з двох літер і шести цифр паспорта',
  }),
  client_inn_same_digits: msg({
    id: 'client_inn_same_digits',
    message: 'Код не може складатися з десяти однакових цифр',
  }),
  client_full_name_required: msg({
    id: 'client_full_name_required',
    message: 'Введіть прізвище, ім’я та по батькові клієнта',
  }),
  payment_type_required: msg({ id: 'payment_type_required', message: 'Виберіть вид платежу' }),
  payment_type_unknown: msg({
    id: 'payment_type_unknown',
    message: 'Такого виду платежу вже немає. Виберіть інший',
  }),
  payment_type_option_required: msg({ id: 'payment_type_option_required', message: 'Виберіть послугу' }),
  payment_type_option_term_required: msg({
    id: 'payment_type_option_term_required',
    message: 'Виберіть строк',
  }),
  term_not_for_option: msg({
    id: 'term_not_for_option',
    message: 'Цей строк не належить до вибраної послуги. Виберіть інший',
  }),
  payment_type_region_required: msg({ id: 'payment_type_region_required', message: 'Виберіть регіон' }),
  region_unknown: msg({ id: 'region_unknown', message: 'Такого регіону вже немає. Виберіть інший' }),
  payment_type_requisite_required: msg({
    id: 'payment_type_requisite_required',
    message: 'Виберіть отримувача',
  }),
  requisite_not_for_region: msg({
    id: 'requisite_not_for_region',
    message: 'Цей отримувач не належить до вибраного регіону. Виберіть іншого',
  }),
  option_not_for_type: msg({
    id: 'option_not_for_type',
    message: 'Ця послуга не належить до вибраного виду платежу. Виберіть іншу',
  }),
  requisite_not_for_term: msg({
    id: 'requisite_not_for_term',
    message: 'Цей отримувач не приймає платежів за вибраним строком. Виберіть іншого',
  }),
  requisite_expired: msg({
    id: 'requisite_expired',
    message: 'Рахунок отримувача змінився. Виберіть отримувача ще раз',
  }),
  filing_year_invalid: msg({
    id: 'filing_year_invalid',
    message: 'Для цього року подання збір зараз сплатити не можна. Виберіть поточний рік',
  }),
  fee_not_in_force: msg({
    id: 'fee_not_in_force',
    message: 'Сьогодні для цього вибору немає чинної ставки. Виберіть іншу послугу або інший строк',
  }),
  your_iban_required: msg({ id: 'your_iban_required', message: 'Введіть свій рахунок IBAN' }),
  your_okpo_required: msg({ id: 'your_okpo_required', message: 'Введіть свій РНОКПП' }),
  iban_required: msg({ id: 'iban_required', message: 'Введіть рахунок IBAN отримувача' }),
  iban_invalid: msg({
    id: 'iban_invalid',
    message: 'Неправильний рахунок IBAN. Перевірте всі 27 цифр після UA',
  }),
  iban_balance_code_by_okpo_rule: msg({
    id: 'iban_balance_code_by_okpo_rule',
    message: 'Рахунок 2620 не підходить для коду фізичної особи. Укажіть рахунок для професійної діяльності',
  }),
  okpo_required: msg({ id: 'okpo_required', message: 'Введіть код отримувача' }),
  okpo_invalid: msg({ id: 'okpo_invalid', message: 'Код складається з 8 або 10 цифр' }),
  amount_required: msg({ id: 'amount_required', message: 'Введіть суму' }),
  amount_invalid: msg({
    id: 'amount_invalid',
    message:
      'Введіть суму цифрами: від 0,01 до 999 999 999,99, не більше двох цифр після коми, наприклад 1234,56',
  }),
  price_changed: msg({
    id: 'price_changed',
    message: 'Сума до сплати змінилася. Перевірте нову суму перед оплатою',
  }),
  cart_item_not_found: msg({ id: 'cart_item_not_found', message: 'Цього платежу вже немає в кошику' }),
  // The payment page meets it in a repeat.
  order_not_found: msg({ id: 'order_not_found', message: 'Такого замовлення немає. Перевірте архів' }),
  cart_full: msg({ id: 'cart_full', message: 'Кошик заповнено. Сплатіть або видаліть частину платежів' }),
  idempotency_key_reused: msg({
    id: 'idempotency_key_reused',
    message: 'Це замовлення вже надіслано з іншими даними. Оновіть сторінку',
  }),
  card_number_not_accepted: msg({
    id: 'card_number_not_accepted',
    message: 'Повний номер картки тут вводити не можна. Видаліть його',
  }),
  conflict: msg({ id: 'conflict', message: 'Дані змінилися в іншій вкладці. Оновіть сторінку' }),
  body_too_large: msg({
    id: 'body_too_large',
    message: 'Запит завеликий. Скоротіть текст і спробуйте ще раз',
  }),
  number_invalid: msg({ id: 'number_invalid', message: 'Число виходить за дозволені межі' }),
  id_invalid: msg({ id: 'id_invalid', message: 'Неправильне посилання. Перевірте адресу' }),
}
