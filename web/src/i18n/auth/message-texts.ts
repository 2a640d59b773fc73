/** The texts of the message keys that the first page of a login may show. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MessageKey } from '@/api/failure'

export const authTexts = {
  phone_required: msg({ id: 'phone_required', message: 'Введіть номер телефону' }),
  phone_not_mobile: msg({
    id: 'phone_not_mobile',
    message: 'На цей номер не надходять SMS. Введіть номер мобільного телефону',
  }),
  account_blocked: msg({
    id: 'account_blocked',
    message: 'Обліковий запис заблоковано. Зверніться до служби підтримки: її контакти – унизу сторінки',
  }),
  passkey_refused: msg({
    id: 'passkey_refused',
    message: 'Цей ключ доступу не підійшов. Увійдіть за номером телефону',
  }),
  client_address_unreadable: msg({
    id: 'client_address_unreadable',
    message: 'Сервер налаштовано з помилкою, тому увійти зараз неможливо. Повідомте службу підтримки',
  }),
  phone_not_exist: msg({
    id: 'phone_not_exist',
    message: 'Цей номер телефону не зареєстровано. Перевірте номер або зареєструйтеся',
  }),
  agreed_required: msg({ id: 'agreed_required', message: 'Щоб увійти, погодьтеся з новими умовами' }),
  user_not_agreed_with_new_terms: msg({
    id: 'user_not_agreed_with_new_terms',
    message: 'Умови публічної оферти оновлено. Погодьтеся з ними, щоб увійти',
  }),
  otp_not_sent: msg({
    id: 'otp_not_sent',
    message: 'Не вдалося надіслати код. Спробуйте, будь ласка, пізніше',
  }),
  otp_too_soon: msg({
    id: 'otp_too_soon',
    message: 'Попередній код або дзвінок ще дійсний. Введіть його або спробуйте ще раз за хвилину',
  }),
  too_many_codes: msg({ id: 'too_many_codes', message: 'Забагато спроб із цим номером. Спробуйте пізніше' }),
  too_many_codes_from_address: msg({
    id: 'too_many_codes_from_address',
    message: 'Забагато спроб із вашої мережі. Спробуйте пізніше',
  }),
  login_step_wrong: msg({
    id: 'login_step_wrong',
    message: 'Для цього номера потрібен інший спосіб входу. Почніть вхід спочатку',
  }),
  operation_unknown: msg({
    id: 'operation_unknown',
    message: 'Цей вхід уже недійсний. Почніть вхід спочатку',
  }),
  call_not_confirmed: msg({ id: 'call_not_confirmed', message: 'Дзвінок не підтверджено' }),
  call_already_used: msg({
    id: 'call_already_used',
    message: 'За цим дзвінком уже виконано вхід. Почніть вхід спочатку',
  }),
  call_not_placed: msg({
    id: 'call_not_placed',
    message: 'Не вдалося зателефонувати на цей номер. Спробуйте ще раз за хвилину',
  }),
} satisfies Partial<Record<MessageKey, MessageDescriptor>>
