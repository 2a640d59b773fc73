/** The texts of the message keys of codes, sign-up and passkeys: for the further pages of login and sign-up, and for whoever asks for a proof. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MessageKey } from '@/api/failure'

export const proofTexts = {
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
  confirmation_required: msg({
    id: 'confirmation_required',
    message: 'Дію не підтверджено, тому її не виконано. Повторіть її, щоб підтвердити',
  }),
  phone_in_use: msg({
    id: 'phone_in_use',
    message: 'Цей номер телефону вже зареєстровано. Увійдіть за ним до кабінету',
  }),
  is_agree_checked: msg({ id: 'is_agree_checked', message: 'Щоб зареєструватися, погодьтеся з умовами' }),
  otp_code_required: msg({ id: 'otp_code_required', message: 'Введіть OTP код' }),
  otp_incorrect: msg({ id: 'otp_incorrect', message: 'Не вірний формат OTP коду' }),
  wrong_otp: msg({ id: 'wrong_otp', message: 'Неправильний код. Перевірте його й спробуйте ще раз' }),
  otp_expired: msg({ id: 'otp_expired', message: 'Строк дії коду минув. Отримайте новий код' }),
  otp_tries_exhausted: msg({
    id: 'otp_tries_exhausted',
    message: 'Спроби ввести цей код вичерпано. Отримайте новий код',
  }),
} satisfies Partial<Record<MessageKey, MessageDescriptor>>
