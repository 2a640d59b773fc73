import { Trans } from '@lingui/react/macro'
import { Link, useNavigate, useRouteContext } from '@tanstack/react-router'
import { loadConfig } from '@/api/config'
import { startLogin, verifyLoginCode } from '@/api/login'
import { session } from '@/api/session'
import { maskedPhone } from '@/lib/phone'
import { buttonClass } from '@/ui/button'
import { AuthSheet } from '../auth-sheet'
import { CodeForm } from './code-form'
import { loginStepOf, pageOfStep } from '../steps'

/** Loads the length of a code. The page works without it. */
export async function loader(): Promise<void> {
  await loadConfig().catch(() => undefined)
}

export default function LoginOtpPage() {
  const { step } = useRouteContext({ from: '/guest/login/otp' })
  const navigate = useNavigate()
  const phone = maskedPhone(step.phone)

  async function verify(code: string) {
    session.open(await verifyLoginCode({ phone: step.phone, otp_code: code, operation_id: step.operationId }))
  }

  async function sendAgain(byCall: boolean) {
    const started = await startLogin({
      phone: step.phone,
      ...(byCall && { by_call: true }),
      is_agree_with_terms: step.agreed,
    })
    const next = loginStepOf(started, step.phone, step.agreed)
    await navigate({
      to: pageOfStep[next.kind],
      replace: true,
      state: (state) => ({ ...state, loginStep: next }),
    })
    return next.kind === 'phone_call' ? ('call' as const) : ('code' as const)
  }

  return (
    <AuthSheet
      heading={<Trans>Введіть код</Trans>}
      lead={
        <>
          <Trans>
            Ми надіслали його на номер <span className="font-medium whitespace-nowrap text-ink">{phone}</span>
            .
          </Trans>{' '}
          <Link to="/login" replace className="link inline-flex min-h-6 items-center">
            <Trans>Змінити номер</Trans>
          </Link>
        </>
      }
    >
      <CodeForm
        length={step.codeLength}
        verify={verify}
        resend={() => sendAgain(false)}
        callInstead={() => sendAgain(true)}
        resendAt={step.resendAt}
        submitLabel={<Trans>Увійти</Trans>}
        otherAction={
          <Link to="/sign-up" replace className={buttonClass({ wide: true })}>
            <Trans>Зареєструватися</Trans>
          </Link>
        }
      />
    </AuthSheet>
  )
}
