import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'

import { paymentTypesQuery } from '@/api/payment-types'
import { paymentKindText } from '@/lib/payment-kind'
import { Notice } from '@/ui/notice'

import type { RepeatedPayment } from '../repeat'

/** Lists what has changed since the earlier payment, or says why its kind is not in the form. */
export function RepeatNotice({ changed, kind }: Pick<RepeatedPayment, 'changed' | 'kind'>) {
  const { i18n } = useLingui()
  const { data: types } = useSuspenseQuery(paymentTypesQuery())
  if (types.every(({ slug }) => slug !== kind)) {
    const name = i18n._(paymentKindText[kind])
    return (
      <Notice
        tone="warn"
        announce
        title={<Trans>Вид платежу «{name}» вам недоступний, заповнено лише дані клієнта</Trans>}
      >
        <Trans>
          Він не відповідає вашому статусу нотаріуса: приватні та державні нотаріуси сплачують
          адміністративний збір по-різному. Виберіть інший вид платежу; якщо статус у картці нотаріуса
          неправильний, зверніться до служби підтримки.
        </Trans>
      </Notice>
    )
  }
  if (changed === 'choices') {
    return (
      <Notice tone="warn" announce title={<Trans>Деякі дані попереднього платежу вже недоступні</Trans>}>
        <Trans>Виберіть заново те, що залишилося незаповненим: послугу, строк або отримувача.</Trans>
      </Notice>
    )
  }
  if (changed === null) return null
  return (
    <Notice tone="warn" announce title={<Trans>Сума або рахунок змінилися</Trans>}>
      <Trans>Форму заповнено даними, чинними на сьогодні. Перевірте суму перед оплатою.</Trans>
    </Notice>
  )
}
