import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate, useRouteContext } from '@tanstack/react-router'
import { Refusal } from '@/api/failure'
import { verifyRegistryIdentifier } from '@/api/login'
import { session } from '@/api/session'
import { i18n } from '@/i18n/i18n'
import { messageText } from '@/i18n/message-texts'
import { maskedPhone } from '@/lib/phone'
import { Button, buttonClass } from '@/ui/button'
import { MaskedField } from '@/ui/masked-field'
import { knownIdentifierMask } from '@/ui/masks'
import { AuthSheet, QuietLine } from '../auth-sheet'
import { readCode } from '../read'
import { refusalText } from '../refusal-text'
import { loginStepOf, pageOfStep } from '../steps'
import { useAuthForm } from '../use-auth-form'

/** The shortest code of any login step (specification, point 5). */
const shortest = 4

const wrongText = msg`Неправильний ідентифікатор. Перевірте його й спробуйте ще раз`

/** An identifier cannot be sent again as a code can. Where this login takes no more tries, a new one has to begin. */
function identifierRefusalText(failure: unknown): string {
  const key = failure instanceof Refusal ? failure.key : null
  if (key === 'wrong_otp') return i18n._(wrongText)
  const isOver = key === 'otp_tries_exhausted' || key === 'otp_expired'
  return isOver ? messageText('operation_unknown') : refusalText(failure)
}

/** The form of the identifier of the account with this phone. */
function useIdentifierForm(step: {
  readonly phone: string
  readonly operationId: string
  readonly agreed: boolean
}) {
  const navigate = useNavigate()
  return useAuthForm({
    name: 'login-custom',
    field: 'otp_code',
    initial: () => ({ otp_code: '' }),
    read: (values) => readCode(values, shortest),
    submit: async ({ otp_code }) => {
      const accepted = await verifyRegistryIdentifier({
        phone: step.phone,
        otp_code,
        operation_id: step.operationId,
      })
      if ('access_token' in accepted) return session.open(accepted)
      // On a new device a code follows.
      const next = loginStepOf(accepted, step.phone, step.agreed)
      await navigate({
        to: pageOfStep[next.kind],
        replace: true,
        state: (state) => ({ ...state, loginStep: next }),
      })
    },
    failureText: identifierRefusalText,
    isLeftOnSuccess: true,
    selectsField: true,
  })
}

export default function LoginCustomPage() {
  const { t } = useLingui()
  const { step } = useRouteContext({ from: '/guest/login/otp/custom' })
  const phone = maskedPhone(step.phone)
  const { form, answer } = useIdentifierForm(step)
  const identifier = form.text('otp_code')

  return (
    <AuthSheet
      heading={<Trans>Підтвердьте, що це ви</Trans>}
      lead={
        <Trans>
          Введіть ідентифікатор у реєстрі, з яким зареєстровано номер{' '}
          <span className="font-medium whitespace-nowrap text-ink">{phone}</span>.
        </Trans>
      }
    >
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-5">
        <MaskedField
          {...identifier}
          mask={knownIdentifierMask}
          label={t`Ідентифікатор у реєстрі`}
          name="otp_code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={identifier.error ?? answer.underField}
        />
        <div className="flex flex-col gap-3">
          <QuietLine>{answer.byButton}</QuietLine>
          <Button type="submit" variant="primary" wide loading={form.busy}>
            <Trans>Увійти</Trans>
          </Button>
          <Link to="/sign-up" replace className={buttonClass({ wide: true })}>
            <Trans>Зареєструватися</Trans>
          </Link>
          <Link to="/login" replace className="link inline-flex min-h-11 items-center self-center">
            <Trans>Змінити номер</Trans>
          </Link>
        </div>
      </form>
    </AuthSheet>
  )
}
