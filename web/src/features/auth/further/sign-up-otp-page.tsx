import { Trans } from '@lingui/react/macro'
import { Link, useNavigate, useRouteContext } from '@tanstack/react-router'
import { loadConfig } from '@/api/config'
import { startSignUp, verifySignUp } from '@/api/login'
import { session } from '@/api/session'
import { maskedPhone } from '@/lib/phone'
import { buttonClass } from '@/ui/button'
import { AuthSheet } from '../auth-sheet'
import { CodeForm } from './code-form'
import { signUpStepOf } from '../steps'

/** Continues a sign-up after a reload, and loads the length of a code. */
export async function loader(): Promise<void> {
  session.resumeSignUp()
  await loadConfig().catch(() => undefined)
}

export default function SignUpOtpPage() {
  const { step } = useRouteContext({ from: '/open/sign-up/otp' })
  const navigate = useNavigate()
  const phone = maskedPhone(step.wish.phone)

  async function verify(code: string) {
    // After a reload the token is gone. The refused call renews it by the cookie and is repeated.
    const opened = await verifySignUp({ otp_code: code, operation_id: step.operationId })
    session.open(opened)
  }

  async function resend() {
    const started = await startSignUp(step.wish)
    session.openSignUp(started.access_token)
    await navigate({
      to: '/sign-up/otp',
      replace: true,
      state: (state) => ({ ...state, signUpStep: signUpStepOf(started, step.wish) }),
    })
    return 'code' as const
  }

  return (
    <AuthSheet
      heading={<Trans>Підтвердьте телефон</Trans>}
      lead={
        <>
          <Trans>
            Ми надіслали код на номер <span className="font-medium whitespace-nowrap text-ink">{phone}</span>.
          </Trans>{' '}
          <Link to="/sign-up" replace className="link inline-flex min-h-6 items-center">
            <Trans>Змінити номер</Trans>
          </Link>
        </>
      }
    >
      <CodeForm
        length={step.codeLength}
        verify={verify}
        resend={resend}
        resendAt={step.resendAt}
        submitLabel={<Trans>Завершити реєстрацію</Trans>}
        otherAction={
          <Link to="/login" replace className={buttonClass({ wide: true })}>
            <Trans>Увійти до наявного облікового запису</Trans>
          </Link>
        }
      />
    </AuthSheet>
  )
}
