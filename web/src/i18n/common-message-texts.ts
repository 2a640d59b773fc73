/** The texts of the message keys that any page may show. They are in the catalogue of the frame. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MessageKey } from '@/api/failure'

export const commonTexts = {
  phone_incorrect: msg({
    id: 'phone_incorrect',
    message: 'Номер телефону неповний або неправильний. Перевірте його',
  }),
  user_not_found: msg({ id: 'user_not_found', message: 'Користувача не знайдено' }),
  too_many_requests: msg({
    id: 'too_many_requests',
    message: 'Забагато спроб. Зачекайте трохи й спробуйте ще раз',
  }),
  full_name_required: msg({ id: 'full_name_required', message: 'Введіть прізвище, ім’я та по батькові' }),
  registry_identifier_required: msg({
    id: 'registry_identifier_required',
    message: 'Введіть ідентифікатор у реєстрі',
  }),
  registry_identifier_invalid: msg({
    id: 'registry_identifier_invalid',
    message: 'Ідентифікатор має від 4 до 15 літер і цифр',
  }),
  session_expired: msg({ id: 'session_expired', message: 'Сеанс завершився. Увійдіть ще раз' }),
  unauthorized: msg({ id: 'unauthorized', message: 'Увійдіть до кабінету' }),
  forbidden: msg({ id: 'forbidden', message: 'Ця дія вам недоступна' }),
  not_found: msg({ id: 'not_found', message: 'Такого запису немає' }),
  body_unreadable: msg({
    id: 'body_unreadable',
    message: 'Сервер не зміг прочитати запит. Оновіть сторінку',
  }),
  field_type_wrong: msg({ id: 'field_type_wrong', message: 'Неправильне значення поля. Перевірте його' }),
  field_required: msg({ id: 'field_required', message: 'Заповніть це поле' }),
  name_invalid: msg({
    id: 'name_invalid',
    message: 'Напишіть ім’я літерами кирилиці або латиниці, як у документі',
  }),
  text_invalid: msg({
    id: 'text_invalid',
    message: 'Текст містить недозволені символи. Введіть його заново',
  }),
  text_too_long: msg({ id: 'text_too_long', message: 'Текст задовгий. Скоротіть його' }),
  validation_failed: msg({
    id: 'validation_failed',
    message: 'Деякі поля заповнено неправильно. Перевірте їх',
  }),
  internal_error: msg({
    id: 'internal_error',
    message:
      'На сервері сталася помилка. Спробуйте ще раз; якщо вона повториться, зверніться до служби підтримки',
  }),
  service_unavailable: msg({
    id: 'service_unavailable',
    message: 'Сервер тимчасово недоступний. Спробуйте ще раз за хвилину',
  }),
} satisfies Partial<Record<MessageKey, MessageDescriptor>>
