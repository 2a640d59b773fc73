/**
 * The texts of the message keys of accounts, their codes, the payment code and fees of an earlier year. They have their own
 * catalogue, which the payment form loads after it is shown.
 */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MessageKey } from '@/api/failure'

export const accountTexts = {
  template_unknown: msg({
    id: 'template_unknown',
    message: 'Такого шаблону вже немає. Виберіть інший або заповніть поля самостійно',
  }),
  recipient_name_required: msg({ id: 'recipient_name_required', message: 'Введіть назву отримувача' }),
  purpose_required: msg({ id: 'purpose_required', message: 'Введіть призначення платежу' }),
  purpose_max_height: msg({
    id: 'purpose_max_height',
    message: 'Призначення платежу не може бути довшим за 160 символів',
  }),
  purpose_invalid: msg({
    id: 'purpose_invalid',
    message:
      'Призначення для рахунку Казначейства починається з тризначного коду виду сплати, наприклад «101 Адміністративний збір за …»',
  }),
  purpose_must_contains_ipn: msg({
    id: 'purpose_must_contains_ipn',
    message: 'Призначення має містити код клієнта або ваш код',
  }),
  cbc_length: msg({ id: 'cbc_length', message: 'Код класифікації доходів бюджету складається з 8 цифр' }),
  count_invalid: msg({ id: 'count_invalid', message: 'Кількість має бути від 1 до 999' }),
  shares_invalid: msg({
    id: 'shares_invalid',
    message: 'Частки – дроби, які разом дають ціле, наприклад 1/3 і 2/3',
  }),
  payment_duplicate: msg({
    id: 'payment_duplicate',
    message: 'Такий платіж уже є. Додайте ще раз, щоб порівняти',
  }),
  client_not_found: msg({
    id: 'client_not_found',
    message: 'Цього клієнта в довіднику вже немає. Оновіть сторінку',
  }),
  recipient_not_found: msg({
    id: 'recipient_not_found',
    message: 'Цього отримувача в довіднику вже немає. Оновіть сторінку',
  }),
  recipients_full: msg({
    id: 'recipients_full',
    message: 'У довіднику вже 200 отримувачів. Видаліть ті, що більше не потрібні',
  }),
  okpo_not_for_treasury: msg({
    id: 'okpo_not_for_treasury',
    message:
      'Рахунок Казначейства приймає лише код ЄДРПОУ: 8 цифр із правильною контрольною цифрою. Візьміть код отримувача з тих самих реквізитів, що й рахунок',
  }),
  okpo_not_for_account: msg({
    id: 'okpo_not_for_account',
    message:
      'Цей рахунок належить отримувачу з іншим кодом, тому платіж повернуть. Звірте рахунок і код за реквізитами отримувача',
  }),
  cbc_not_for_account: msg({
    id: 'cbc_not_for_account',
    message:
      'Цей рахунок не приймає платежів за таким кодом класифікації доходів бюджету. Звірте код і рахунок за реквізитами отримувача',
  }),
  purpose_code_unknown: msg({
    id: 'purpose_code_unknown',
    message: 'Такого коду виду сплати немає. Для податків, зборів і державного мита вкажіть 101',
  }),
  your_iban_is_treasury: msg({
    id: 'your_iban_is_treasury',
    message:
      'Рахунок Казначейства не може бути вашим рахунком. Укажіть рахунок у банку, відкритий для професійної діяльності',
  }),
  your_okpo_not_yours: msg({
    id: 'your_okpo_not_yours',
    message:
      'Рахунок приватного нотаріуса має бути з його РНОКПП, як у картці нотаріуса. Перевірте код і рахунок',
  }),
  fee_of_last_year: msg({
    id: 'fee_of_last_year',
    message: 'Суму збору на цей рік ще не завантажено. Зверніться до служби підтримки',
  }),
  payment_type_not_for_status: msg({
    id: 'payment_type_not_for_status',
    message:
      'Цей вид платежу не відповідає вашому статусу нотаріуса: приватні та державні нотаріуси сплачують адміністративний збір по-різному. Виберіть інший вид, а якщо статус у картці нотаріуса неправильний, зверніться до служби підтримки',
  }),
} satisfies Partial<Record<MessageKey, MessageDescriptor>>
