import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useRouteContext } from '@tanstack/react-router'
import { maskedPhone } from '@/lib/phone'
import { buttonClass } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Spinner } from '@/ui/spinner'
import { AuthSheet } from './auth-sheet'
import { useCallConfirmation } from './use-call-confirmation'

export default function PhoneCallPage() {
  const { t } = useLingui()
  const { step } = useRouteContext({ from: '/guest/login/phone-call' })
  const phone = maskedPhone(step.phone)
  const { away } = useCallConfirmation(step)

  return (
    <AuthSheet
      heading={<Trans>Зараз вам зателефонують</Trans>}
      lead={
        <Trans>
          Цей вхід потрібно підтвердити дзвінком. Дзвінок надійде на номер{' '}
          <span className="font-medium whitespace-nowrap text-ink">{phone}</span>.
        </Trans>
      }
    >
      <div className="flex flex-col items-center gap-4 py-4 text-center">
        <span className="relative flex size-24 items-center justify-center text-seal">
          <Spinner size={96} className="absolute inset-0" />
          <Icon name="phone" size={36} />
        </span>
        <p role="status" className="text-sm text-ink-soft">
          {away
            ? t`Немає зв’язку із сервером. Щойно він відновиться, вхід продовжиться.`
            : t`Чекаємо на ваше підтвердження…`}
        </p>
      </div>
      <ol className="flex list-decimal pl-6 flex-col gap-1.5">
        <li>
          <Trans>Прийміть дзвінок.</Trans>
        </li>
        <li>
          <Trans>Виконайте вказівки оператора й натисніть 1.</Trans>
        </li>
        <li>
          <Trans>Сторінка відкриється автоматично.</Trans>
        </li>
      </ol>
      <Link to="/login" replace className={buttonClass({ wide: true })}>
        <Trans>Повернутися до входу</Trans>
      </Link>
    </AuthSheet>
  )
}
