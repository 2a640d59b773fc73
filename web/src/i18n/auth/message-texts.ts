/** The texts of the message keys that only the pages of login and sign-up show, and the dialog that asks for a fresh code. */
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
  passkey_too_new: msg({
    id: 'passkey_too_new',
    message:
      'Цей ключ доступу додано нещодавно, тому він ще нічого не підтверджує. Підтвердьте кодом із SMS. Оплатити можна й на сторінці банку',
  }),
  device_too_new_for_act: msg({
    id: 'device_too_new_for_act',
    message:
      'Цей пристрій новий, тому змінити це з нього ще не можна. Скористайтеся пристроєм, з якого вже входили раніше',
  }),
  passkey_not_added: msg({
    id: 'passkey_not_added',
    message: 'Ключ доступу не додано. Спробуйте ще раз',
  }),
  passkey_exists: msg({
    id: 'passkey_exists',
    message: 'Цей ключ доступу вже додано',
  }),
  too_many_passkeys: msg({
    id: 'too_many_passkeys',
    message: 'Ключів доступу вже стільки, скільки може бути. Видаліть зайвий',
  }),
  register_contact_unknown: msg({
    id: 'register_contact_unknown',
    message:
      'Підтвердити цей обліковий запис кодом зараз не можна. Якщо він ще очікує, його підтвердить служба підтримки',
  }),
  passkey_unknown: msg({ id: 'passkey_unknown', message: 'Цей ключ доступу вже видалено' }),
  session_unknown: msg({ id: 'session_unknown', message: 'Цей сеанс уже завершено' }),
  client_address_unreadable: msg({
    id: 'client_address_unreadable',
    message: 'Сервер налаштовано з помилкою, тому увійти зараз неможливо. Повідомте службу підтримки',
  }),
  confirmation_required: msg({
    id: 'confirmation_required',
    message: 'Дію не підтверджено, тому її не виконано. Повторіть її, щоб підтвердити',
  }),
  phone_in_use: msg({
    id: 'phone_in_use',
    message: 'Цей номер телефону вже зареєстровано. Увійдіть за ним до кабінету',
  }),
  phone_not_exist: msg({
    id: 'phone_not_exist',
    message: 'Цей номер телефону не зареєстровано. Перевірте номер або зареєструйтеся',
  }),
  agreed_required: msg({ id: 'agreed_required', message: 'Щоб увійти, погодьтеся з новими умовами' }),
  is_agree_checked: msg({ id: 'is_agree_checked', message: 'Щоб зареєструватися, погодьтеся з умовами' }),
  user_not_agreed_with_new_terms: msg({
    id: 'user_not_agreed_with_new_terms',
    message: 'Умови публічної оферти оновлено. Погодьтеся з ними, щоб увійти',
  }),
  otp_code_required: msg({ id: 'otp_code_required', message: 'Введіть OTP код' }),
  otp_incorrect: msg({ id: 'otp_incorrect', message: 'Не вірний формат OTP коду' }),
  wrong_otp: msg({ id: 'wrong_otp', message: 'Неправильний код. Перевірте його й спробуйте ще раз' }),
  otp_expired: msg({ id: 'otp_expired', message: 'Строк дії коду минув. Отримайте новий код' }),
  otp_tries_exhausted: msg({
    id: 'otp_tries_exhausted',
    message: 'Спроби ввести цей код вичерпано. Отримайте новий код',
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
