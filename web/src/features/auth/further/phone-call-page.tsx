import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useRouteContext } from '@tanstack/react-router'
import { maskedPhone } from '@/lib/phone'
import { buttonClass } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Spinner } from '@/ui/spinner'
import { AuthSheet } from '../auth-sheet'
import { useCallConfirmation } from './use-call-confirmation'

export default function PhoneCallPage() {
  const { t } = useLingui()
  const { step } = useRouteContext({ from: '/guest/login/phone-call' })
  const phone = maskedPhone(step.phone)
  const { callDigits: digits } = step
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
      {digits !== null && <ShownDigits digits={digits} />}
      <ol className="flex list-decimal pl-6 flex-col gap-1.5">
        <li>
          <Trans>Прийміть дзвінок.</Trans>
        </li>
        <li>
          {digits === null ? (
            <Trans>Виконайте вказівки оператора й натисніть 1.</Trans>
          ) : (
            <Trans>
              Виконайте вказівки оператора: натисніть 1, а потім{' '}
              <span className="font-medium whitespace-nowrap tabular-nums">{spaced(digits)}</span>.
            </Trans>
          )}
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

/** The digits that the call asks for. Whoever is called without seeing this page can't know them. */
function ShownDigits({ digits }: { readonly digits: string }) {
  return (
    <div className="flex flex-col items-center gap-1 rounded-sm border border-rule bg-inset p-4 text-center">
      <dl>
        <dt className="text-sm text-ink-soft">
          <Trans>Цифри для дзвінка</Trans>
        </dt>
        <dd className="text-2xl font-semibold tabular-nums">{spaced(digits)}</dd>
      </dl>
      <p className="text-sm text-ink-soft">
        <Trans>Нікому їх не називайте.</Trans>
      </p>
    </div>
  )
}

/** Screen readers then say each digit. */
function spaced(digits: string): string {
  return digits.split('').join('\u00a0')
}
