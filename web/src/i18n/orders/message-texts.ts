/**
 * The texts of the message keys of carts, orders and payments. They have their own catalogue, for the pages that may show them.
 */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MessageKey } from '@/api/failure'

export const orderTexts = {
  cart_group_empty: msg({ id: 'cart_group_empty', message: 'У кошику вже немає платежів цього клієнта' }),
  cart_already_ordered: msg({
    id: 'cart_already_ordered',
    message: 'Ці платежі вже оформлено іншим замовленням',
  }),
  register_number_invalid: msg({
    id: 'register_number_invalid',
    message: 'Номер задовгий або містить недозволені символи. Перевірте його',
  }),
  complaint_text_required: msg({ id: 'complaint_text_required', message: 'Опишіть помилку в цьому платежі' }),
  card_not_found: msg({ id: 'card_not_found', message: 'Ця збережена картка вже недоступна. Виберіть іншу' }),
  device_too_new: msg({
    id: 'device_too_new',
    message:
      'Цей пристрій новий, тому з нього збереженою карткою можна платити лише знайомим отримувачам і в межах вашої суми за добу. Оплатіть це замовлення на сторінці банку',
  }),
  device_too_new_for_part: msg({
    id: 'device_too_new_for_part',
    message:
      'Цей пристрій новий, тому переказати кошти на інший рахунок із нього ще не можна. Скористайтеся пристроєм, з якого вже входили раніше, або поверніть кошти на картку клієнта',
  }),
  contacts_too_new: msg({
    id: 'contacts_too_new',
    message:
      'Електронну пошту змінено менше ніж добу тому. Доки доба не мине, збереженою карткою можна платити лише знайомим отримувачам. Оплатіть це замовлення на сторінці банку',
  }),
  notary_not_confirmed: msg({
    id: 'notary_not_confirmed',
    message:
      'Обліковий запис ще не підтверджено за реєстром нотаріусів. Платежі залишаються в кошику: сплатіть їх після підтвердження. Із запитаннями звертайтеся до служби підтримки',
  }),
  notary_suspended: msg({
    id: 'notary_suspended',
    message:
      'Вашу діяльність позначено як зупинену, тому нові замовлення недоступні. Платежі залишаються в кошику. Якщо це помилка, зверніться до служби підтримки',
  }),
  daily_sum_exceeded: msg({
    id: 'daily_sum_exceeded',
    message:
      'Для нового облікового запису діє обмеження суми замовлень за добу. Сплатіть ці платежі завтра або зверніться до служби підтримки',
  }),
  too_many_declines: msg({
    id: 'too_many_declines',
    message:
      'Банк відхилив забагато платежів за годину. Спробуйте пізніше або зверніться до служби підтримки',
  }),
  order_not_payable: msg({ id: 'order_not_payable', message: 'Це замовлення вже не можна оплатити' }),
  order_not_paid: msg({
    id: 'order_not_paid',
    message: 'Замовлення не оплачено. Квитанції з’являться після оплати',
  }),
  order_refunded: msg({
    id: 'order_refunded',
    message: 'Кошти за це замовлення повернено, тому квитанцій до нього більше немає',
  }),
  order_returned_to_cart: msg({
    id: 'order_returned_to_cart',
    message:
      'Замовлення створено понад 30 днів тому, або після його створення змінилися ставка чи рахунок отримувача. Замовлення закрито, а його платежі повернено до кошика. Перевірте їх і сплатіть у кошику',
  }),
  order_cancelled: msg({
    id: 'order_cancelled',
    message: 'Замовлення скасовано',
  }),
  order_being_cancelled: msg({
    id: 'order_being_cancelled',
    message:
      'Замовлення скасовується, тому сплатити його не можна. Оновіть сторінку за кілька хвилин: замовлення буде скасовано або лишиться, як було',
  }),
  order_not_cancellable: msg({
    id: 'order_not_cancellable',
    message: 'Замовлення вже оплачено',
  }),
  order_not_repeatable: msg({
    id: 'order_not_repeatable',
    message: 'Деякі з платежів сьогодні здійснити не можна',
  }),
  payment_page_not_closed: msg({
    id: 'payment_page_not_closed',
    message: 'Сторінка оплати ще відкрита. Спробуйте, коли мине її строк (до години)',
  }),
  order_under_review: msg({
    id: 'order_under_review',
    message:
      'Оплату цього замовлення перевіряють, тому оплатити його зараз не можна. Не сплачуйте вдруге. Зверніться до служби підтримки',
  }),
  receipt_not_available: msg({
    id: 'receipt_not_available',
    message: 'Квитанція ще не готова. Спробуйте ще раз за хвилину',
  }),
  receipt_type_invalid: msg({ id: 'receipt_type_invalid', message: 'Такої квитанції немає' }),
  status_invalid: msg({ id: 'status_invalid', message: 'Такого статусу замовлення немає' }),
  period_invalid: msg({
    id: 'period_invalid',
    message: 'Кінець періоду раніший за його початок. Перевірте дати',
  }),
  period_too_long: msg({
    id: 'period_too_long',
    message: 'Період завеликий. Виберіть не більше трьох років',
  }),
  export_too_large: msg({
    id: 'export_too_large',
    message: 'Забагато платежів для однієї таблиці. Звузьте період або змініть фільтри',
  }),
  too_many_orders: msg({
    id: 'too_many_orders',
    message: 'За один раз можна завантажити квитанції не більш як 200 замовлень. Виберіть менше',
  }),
  part_not_returned: msg({
    id: 'part_not_returned',
    message: 'Банк цієї частини платежу не повертав. Оновіть сторінку, щоб побачити статус переказів',
  }),
  part_decided: msg({
    id: 'part_decided',
    message:
      'Щодо цієї частини рішення вже ухвалено: її надсилають повторно або повертають на картку. Оновіть сторінку, щоб побачити її статус',
  }),
  account_not_in_reference: msg({
    id: 'account_not_in_reference',
    message:
      'Цей платіж приймають лише рахунки з таблиць кабінету. Якщо рахунок отримувача змінився, зверніться до служби підтримки',
  }),
  part_given_back: msg({
    id: 'part_given_back',
    message:
      'На картку клієнта вже повернено кошти за цим замовленням, тож надіслати частину повторно зараз не можна. Зверніться до служби підтримки',
  }),
  part_not_reclaimable: msg({
    id: 'part_not_reclaimable',
    message:
      'Заяву складають лише про кошти, надіслані до бюджету або адміністраторові реєстру. Оновіть сторінку, щоб побачити статус переказів',
  }),
  acquirer_unavailable: msg({
    id: 'acquirer_unavailable',
    message: 'Банк зараз не відповідає. Спробуйте пізніше',
  }),
  acquirer_refused: msg({
    id: 'acquirer_refused',
    message: 'Банк відхилив запит. Спробуйте ще раз; якщо це повториться, зверніться до служби підтримки',
  }),
  payment_outcome_unknown: msg({
    id: 'payment_outcome_unknown',
    message: 'Платіж обробляється. Не сплачуйте вдруге',
  }),
  payment_declined: msg({ id: 'payment_declined', message: 'Банк відхилив платіж' }),
  payment_insufficient_funds: msg({
    id: 'payment_insufficient_funds',
    message: 'На картці недостатньо коштів',
  }),
  payment_card_unusable: msg({
    id: 'payment_card_unusable',
    message: 'Картку заблоковано, або строк її дії минув',
  }),
  payment_limit_exceeded: msg({ id: 'payment_limit_exceeded', message: 'Перевищено ліміт картки' }),
  payment_not_confirmed: msg({ id: 'payment_not_confirmed', message: 'Платіж не підтверджено в банку' }),
  payment_no_trace: msg({
    id: 'payment_no_trace',
    message:
      'Відповідь банку не надійшла, а у виписці списання немає. Перш ніж сплачувати знову, перевірте рахунок картки',
  }),
  payment_expired: msg({ id: 'payment_expired', message: 'Строк оплати минув' }),
  client_link_gone: msg({
    id: 'client_link_gone',
    message: 'Це посилання вже не діє. Створіть нове',
  }),
  client_link_sent_too_often: msg({
    id: 'client_link_sent_too_often',
    message: 'Посилання надіслано забагато разів. Скопіюйте його й передайте клієнту самі',
  }),
  receipt_mail_sent_too_often: msg({
    id: 'receipt_mail_sent_too_often',
    message: 'Квитанції надіслано забагато разів. Завантажте квитанцію й передайте клієнту самі',
  }),
  receipt_mail_refused: msg({
    id: 'receipt_mail_refused',
    message: 'Клієнт відмовився від листів про це замовлення. Погодитися знову він може за посиланням',
  }),
  mail_not_set_up: msg({
    id: 'mail_not_set_up',
    message: 'Листи зараз не надсилаються. Скористайтеся SMS або скопіюйте посилання',
  }),
  payment_codes_not_given: msg({
    id: 'payment_codes_not_given',
    message: 'Для цього замовлення QR-кодів не видано, тож за ними не могли сплатити',
  }),
  payment_codes_given: msg({
    id: 'payment_codes_given',
    message:
      'Для цього замовлення видано QR-коди. Якщо за ними сплачено, не оплачуйте карткою: інакше кошти буде сплачено двічі. Якщо за ними ніхто не сплачував, натисніть кнопку ще раз',
  }),
  order_anonymised: msg({
    id: 'order_anonymised',
    message: 'Дані цього замовлення знеособлено, тому змінити їх не можна',
  }),
} satisfies Partial<Record<MessageKey, MessageDescriptor>>
