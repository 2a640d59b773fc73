import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useRouteContext } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { isFailure, type MessageKey } from '@/api/failure'
import { verifyRegistryIdentifier } from '@/api/login'
import { session } from '@/api/session'
import { messageText } from '@/i18n/message-texts'
import { Button, buttonClass } from '@/ui/button'
import { MaskedField } from '@/ui/masked-field'
import { registryIdentifierMask } from '@/ui/masks'
import { AuthSheet, QuietLine } from './auth-sheet'
import { maskedPhone } from './masked-phone'
import { refusalText } from './refusal-text'
import { usePassingMessage } from './use-passing-message'

/** The shortest code of any login step (specification, point 5). */
const shortest = 4

export default function LoginCustomPage() {
  const { t } = useLingui()
  const { step } = useRouteContext({ from: '/guest/login/otp/custom' })
  const fieldRef = useRef<HTMLInputElement>(null)
  const [rule, setRule] = useState<MessageKey | null>(null)
  const [busy, setBusy] = useState(false)
  const answer = usePassingMessage()
  const phone = maskedPhone(step.phone)

  useEffect(() => fieldRef.current?.focus(), [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const code = fieldRef.current?.value.trim() ?? ''
    const broken = code === '' ? 'otp_code_required' : code.length < shortest ? 'otp_incorrect' : null
    setRule(broken)
    if (broken !== null) return fieldRef.current?.focus()

    setBusy(true)
    answer.clear()
    try {
      const opened = await verifyRegistryIdentifier({
        phone: step.phone,
        otp_code: code,
        operation_id: step.operationId,
      })
      session.open(opened)
    } catch (error) {
      // An identifier is not sent anew, as a code is: where this login takes no more tries, another one begins.
      const refused = isFailure(error) && error.kind === 'refusal' ? error.key : null
      const over = refused === 'otp_tries_exhausted' || refused === 'otp_expired'
      answer.show(() => (over ? messageText('operation_unknown') : refusalText(error)))
      fieldRef.current?.focus()
      fieldRef.current?.select()
      setBusy(false)
    }
  }

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
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <MaskedField
          ref={fieldRef}
          mask={registryIdentifierMask}
          label={t`Ідентифікатор у реєстрі`}
          name="otp_code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onValueChange={() => {
            setRule(null)
            answer.clear()
          }}
          error={rule === null ? answer.underField : messageText(rule)}
        />
        <div className="flex flex-col gap-3">
          <QuietLine>{answer.byButton}</QuietLine>
          <Button type="submit" variant="primary" wide loading={busy}>
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
