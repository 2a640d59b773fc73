/** The texts of the message keys that only the notary's card shows, and of refusals that no request of the pages meets. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MessageKey } from '@/api/failure'

export const profileTexts = {
  certificate_number_invalid: msg({
    id: 'certificate_number_invalid',
    message: 'Номер свідоцтва складається лише з цифр',
  }),
  email_invalid: msg({ id: 'email_invalid', message: 'Неправильна адреса електронної пошти. Перевірте її' }),
  card_pan_invalid: msg({
    id: 'card_pan_invalid',
    message: 'Неправильний номер картки. Перевірте всі 16 цифр',
  }),
  date_invalid: msg({ id: 'date_invalid', message: 'Такої дати немає. Формат: ДД.ММ.РРРР' }),
  registry_identifier_fixed: msg({
    id: 'registry_identifier_fixed',
    message: 'Змінити цей ідентифікатор може лише служба підтримки',
  }),
  idempotency_key_invalid: msg({
    id: 'idempotency_key_invalid',
    message: 'Замовлення не вдалося надіслати. Оновіть сторінку й спробуйте ще раз',
  }),
  method_not_allowed: msg({
    id: 'method_not_allowed',
    message: 'Сервер не підтримує цю дію. Оновіть сторінку',
  }),
  locale_invalid: msg({ id: 'locale_invalid', message: 'Кабінет не підтримує цю мову' }),
} satisfies Partial<Record<MessageKey, MessageDescriptor>>
