import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, useState, type ReactNode } from 'react'
import type { FormFields } from '@/forms/use-form'
import { later } from '@/lib/later'
import { ok } from '@/lib/result'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/code-field'
import { announce } from '@/ui/live-region'
import { QuietLine } from '../auth-sheet'
import { readCode } from '../read'
import { ResendLine } from './resend-line'
import { useAuthForm } from '../use-auth-form'

/** Needed only where no message can be sent. */
const CallOffer = later(async () => (await import('../call-offer')).CallOfferAfter)

interface CodeFormProps {
  /** The name of the field. By default the code came by SMS. */
  readonly label?: string | undefined
  /** The number of digits of the code. */
  readonly length: number
  /** Finishes the step. Its failure is shown. */
  readonly verify: (code: string) => Promise<void>
  /** Requests a new code. Returns what was sent: a number whose codes are used up is called. */
  readonly resend: () => Promise<'code' | 'call'>
  /** Requests a call, where one may take the place of a code that can't be sent. */
  readonly callInstead?: () => Promise<'code' | 'call'>
  /** The earliest time of `resend`, RFC 3339. */
  readonly resendAt: string
  readonly submitLabel: ReactNode
  /** A second button. */
  readonly otherAction: ReactNode
}

/** The form of a code from a message. A complete code is sent automatically, once. */
export function CodeForm({
  label,
  length,
  verify,
  resend,
  callInstead,
  resendAt,
  submitLabel,
  otherAction,
}: CodeFormProps) {
  const { t } = useLingui()
  const { form, answer, show } = useAuthForm({
    name: 'code',
    field: 'otp_code',
    initial: () => ({ otp_code: '' }),
    read: (values) => readCode(values, length),
    submit: ({ otp_code: code }) => verify(code),
    // A right code must not be sent again until the next page is there.
    isLeftOnSuccess: true,
    selectsField: true,
  })
  const code = form.text('otp_code')
  const { notSent, sendAgain } = useSendingAgain(form, answer, show)

  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-5">
      <CodeField
        {...code}
        label={label ?? t`Код із SMS`}
        name="otp_code"
        length={length}
        onComplete={(full) => form.send(() => ok({ otp_code: full }))}
        error={code.error ?? answer.underField}
      />
      <ResendLine key={resendAt} resendAt={resendAt} onResend={() => sendAgain(resend)} />
      {callInstead && notSent !== undefined && (
        <Suspense>
          <CallOffer failure={notSent} call={() => sendAgain(callInstead)} />
        </Suspense>
      )}
      <div className="flex flex-col gap-3">
        <QuietLine>{answer.byButton}</QuietLine>
        <Button type="submit" variant="primary" wide loading={form.busy}>
          {submitLabel}
        </Button>
        {otherAction}
      </div>
      <p className="sr-only">
        <Trans>Код надсилається автоматично, щойно введено останню цифру.</Trans>
      </p>
    </form>
  )
}

/** Sends another code, or calls instead. `notSent` says why the last one could not be sent. */
function useSendingAgain(
  form: Pick<FormFields<{ readonly otp_code: string }>, 'change' | 'focus'>,
  answer: { readonly clear: () => void },
  show: (failure: unknown) => void,
) {
  const { t } = useLingui()
  const [notSent, setNotSent] = useState<unknown>()

  async function sendAgain(send: () => Promise<'code' | 'call'>) {
    answer.clear()
    try {
      const sent = await send()
      setNotSent(undefined)
      if (sent === 'call') return
      form.change({ otp_code: '' })
      announce(t`Новий код надіслано`)
      form.focus('otp_code')
    } catch (error) {
      setNotSent(error)
      show(error)
    }
  }

  return { notSent, sendAgain }
}
