import { Trans } from '@lingui/react/macro'

import { Notice } from '@/ui/notice'

import type { RepeatedPayment } from '../repeat'

/** Lists what has changed since the earlier payment. */
export function RepeatNotice({ changed }: Pick<RepeatedPayment, 'changed'>) {
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
