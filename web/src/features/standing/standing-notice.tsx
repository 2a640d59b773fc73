import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { confirmAccount } from '@/api/confirmation'
import { queryClient } from '@/api/query-client'
import { userQuery, type User } from '@/api/user'
import { FailedLine } from '@/forms/failed'
import { Button, buttonClass } from '@/ui/button'
import { focusHeading } from '@/ui/focus-heading'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'

interface StandingNoticeProps {
  readonly user: Pick<User, 'standing' | 'notary_status' | 'register_contact'>
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
      return user.register_contact !== null ? (
        <ToConfirm contact={user.register_contact} />
      ) : (
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

const refresh = () => queryClient.invalidateQueries({ queryKey: userQuery().queryKey })

/** Offers the code that confirms the account. It goes to the contact of the register of notaries. */
function ToConfirm({ contact }: { readonly contact: string }) {
  const { t } = useLingui()
  const confirm = useMutation({
    mutationFn: confirmAccount,
    onSuccess: async (isConfirmed) => {
      // The button and the dialog are gone then, and no dialog takes the focus back.
      await refresh()
      if (!isConfirmed) return
      announce(t`Обліковий запис підтверджено`)
      focusHeading()
    },
    // The register may have changed meanwhile.
    onError: refresh,
  })
  const shown = <span className="font-medium whitespace-nowrap">{contact}</span>
  return (
    <Notice
      tone="info"
      className="mb-6"
      title={<Trans>Обліковий запис очікує на підтвердження</Trans>}
      actions={
        <>
          <Button size="small" variant="primary" loading={confirm.isPending} onClick={() => confirm.mutate()}>
            <Trans>Надіслати код</Trans>
          </Button>
          <ToProfile />
        </>
      }
    >
      <p>
        <Trans>
          Платежі можна готувати вже зараз: вони зберігаються в кошику. Щоб сплачувати їх, підтвердьте, що
          обліковий запис ваш: код буде надіслано на контакт із реєстру нотаріусів, {shown}. Якщо цього
          контакту у вас немає, зверніться до служби підтримки: її контакти – унизу сторінки.
        </Trans>
      </p>
      <FailedLine failure={confirm.error} className="mt-2" />
    </Notice>
  )
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
