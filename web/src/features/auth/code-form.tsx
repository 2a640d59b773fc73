import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { knownConfig } from '@/api/config'
import type { MessageKey } from '@/api/failure'
import { messageText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/code-field'
import { announce } from '@/ui/live-region'
import { QuietLine } from './auth-sheet'
import { refusalText } from './refusal-text'
import { ResendLine } from './resend-line'
import { usePassingMessage } from './use-passing-message'

/** Digits of a code where the server has not said otherwise (specification, point 9). */
const usualLength = 4

interface CodeFormProps {
  /** Finishes the step; what it throws is shown. */
  readonly verify: (code: string) => Promise<void>
  /** Asks for a new code. */
  readonly resend: () => Promise<void>
  /** When that may be done, RFC 3339. */
  readonly resendAt: string
  readonly submitLabel: ReactNode
  /** What else can be done from here. */
  readonly otherAction: ReactNode
}

/** The code of a message: typed, pasted or offered by the phone; the full code goes by itself, once. */
export function CodeForm({ verify, resend, resendAt, submitLabel, otherAction }: CodeFormProps) {
  const { t } = useLingui()
  const fieldRef = useRef<HTMLInputElement>(null)
  const sending = useRef(false)
  const [code, setCode] = useState('')
  const [rule, setRule] = useState<MessageKey | null>(null)
  const [busy, setBusy] = useState(false)
  const answer = usePassingMessage()
  const length = knownConfig()?.otp_length ?? usualLength

  useEffect(() => fieldRef.current?.focus(), [])

  async function send(full: string) {
    // Enter pressed right after the last digit must not send the same code twice: a code that was right stays sent until
    // the next page stands.
    if (sending.current) return
    sending.current = true
    setBusy(true)
    answer.clear()
    try {
      await verify(full)
    } catch (error) {
      answer.show(() => refusalText(error))
      fieldRef.current?.focus()
      fieldRef.current?.select()
      sending.current = false
      setBusy(false)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const broken = code === '' ? 'otp_code_required' : code.length < length ? 'otp_incorrect' : null
    setRule(broken)
    if (broken === null) void send(code)
    else fieldRef.current?.focus()
  }

  async function sendAgain() {
    answer.clear()
    try {
      await resend()
      setCode('')
      announce(t`Новий код надіслано`)
    } catch (error) {
      answer.show(() => refusalText(error))
    }
    fieldRef.current?.focus()
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <CodeField
        ref={fieldRef}
        label={t`Код із SMS`}
        name="otp_code"
        length={length}
        value={code}
        onValueChange={(typed) => {
          setCode(typed)
          setRule(null)
          answer.clear()
        }}
        onComplete={(full) => void send(full)}
        error={rule === null ? answer.underField : messageText(rule)}
      />
      <ResendLine key={resendAt} resendAt={resendAt} onResend={sendAgain} />
      <div className="flex flex-col gap-3">
        <QuietLine>{answer.byButton}</QuietLine>
        <Button type="submit" variant="primary" wide loading={busy}>
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
