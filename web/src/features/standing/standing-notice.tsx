import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'

import type { User } from '@/api/user'
import { buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'

interface StandingNoticeProps {
  readonly user: Pick<User, 'standing' | 'notary_status'>
}

/**
 * Says that the account may not order, and what to do: nobody has confirmed it yet, or the notary's activity is stopped. Any
 * other account has no such notice.
 */
export function StandingNotice({ user }: StandingNoticeProps) {
  switch (user.standing) {
    case 'confirmed':
      return user.notary_status === 'suspended' ? <SuspendedNotice /> : null
    case 'waiting':
      return (
        <Notice
          tone="info"
          className="mb-6"
          title={<Trans>Обліковий запис очікує на підтвердження</Trans>}
          actions={<ToProfile />}
        >
          <Trans>
            Платежі можна готувати вже зараз: вони зберігаються в кошику. Сплатити їх можна буде після того,
            як ваші дані буде звірено з реєстром нотаріусів. Перевірте в картці нотаріуса ім’я, ідентифікатор
            у реєстрі та номер свідоцтва. Про підтвердження ми повідомимо.
          </Trans>
        </Notice>
      )
    default:
      return (
        <Notice
          tone="warn"
          className="mb-6"
          title={<Trans>Обліковий запис не підтверджено</Trans>}
          actions={<ToProfile />}
        >
          <Trans>
            Сплачувати платежі поки не можна. Перевірте в картці нотаріуса ім’я, ідентифікатор у реєстрі та
            номер свідоцтва і зверніться до служби підтримки: її контакти – унизу сторінки.
          </Trans>
        </Notice>
      )
  }
}

function SuspendedNotice() {
  return (
    <Notice
      tone="warn"
      className="mb-6"
      title={<Trans>Нові замовлення недоступні</Trans>}
      actions={<ToProfile />}
    >
      <Trans>
        За реєстром нотаріусів вашу діяльність зупинено, або такий статус установила служба підтримки. Платежі
        можна готувати: вони зберігаються в кошику. Оформити нові замовлення не можна; оплачені буде виконано,
        а відкриту сторінку оплати ще можна використати. Якщо це помилка, зверніться до служби підтримки: її
        контакти – унизу сторінки.
      </Trans>
    </Notice>
  )
}

function ToProfile() {
  return (
    <Link to="/me" className={buttonClass({ size: 'small' })}>
      <Trans>До картки нотаріуса</Trans>
    </Link>
  )
}
