import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { isFailure, type MessageKey } from '@/api/failure'
import { startSignUp } from '@/api/login'
import { session } from '@/api/session'
import { messageText } from '@/i18n/message-texts'
import { parsePhone } from '@/lib/phone'
import { Button, buttonClass } from '@/ui/button'
import { ErrorSummary } from '@/ui/error-summary'
import { MaskedField } from '@/ui/masked-field'
import { registryIdentifierMask } from '@/ui/masks'
import { PhoneField } from '@/ui/phone-field'
import { TextField } from '@/ui/text-field'
import { Agreement } from './agreement'
import { AuthSheet, QuietLine } from './auth-sheet'
import { refusalText } from './refusal-text'
import { signUpStepOf } from './steps'
import { typedPhone } from './typed-phone'
import { typedSignUp } from './typed-sign-up'
import { usePassingMessage } from './use-passing-message'

const fields = ['full_name', 'phone', 'registry_identifier', 'is_agreed'] as const

type Field = (typeof fields)[number]
type Errors = Partial<Record<Field, MessageKey>>

const fieldId = (field: Field) => `sign-up-${field}`

/** What the rules of the form say to what was typed (specification, point 5). */
function broken(fullName: string, phone: string, registryIdentifier: string, agreed: boolean): Errors {
  const readPhone = parsePhone(phone)
  return {
    ...(fullName.trim() === '' && { full_name: 'full_name_required' }),
    ...(!readPhone.ok && { phone: readPhone.error }),
    ...(registryIdentifier.trim() === '' && { registry_identifier: 'registry_identifier_required' }),
    ...(!agreed && { is_agreed: 'is_agree_checked' }),
  }
}

export default function SignUpPage() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const fullNameRef = useRef<HTMLInputElement>(null)
  const phoneRef = useRef<HTMLInputElement>(null)
  const registryIdentifierRef = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(typedPhone.get)
  const [kept] = useState(typedSignUp.get)
  const [agreed, setAgreed] = useState(kept.agreed)
  const [errors, setErrors] = useState<Errors>({})
  const [attempt, setAttempt] = useState(0)
  const [busy, setBusy] = useState(false)
  const answer = usePassingMessage()

  useEffect(() => fullNameRef.current?.focus(), [])

  function mend(field: Field) {
    answer.clear()
    setErrors(({ [field]: _mended, ...others }) => others)
  }

  const textOf = (field: Field) => {
    const key = errors[field]
    return key === undefined ? null : messageText(key)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const fullName = fullNameRef.current?.value ?? ''
    const registryIdentifier = registryIdentifierRef.current?.value ?? ''
    const wrong = broken(fullName, typed, registryIdentifier, agreed)
    const phone = parsePhone(typed)
    setErrors(wrong)
    setAttempt(attempt + 1)
    if (Object.keys(wrong).length > 0 || !phone.ok) return

    const wish = {
      full_name: fullName.trim(),
      phone: phone.value,
      registry_identifier: registryIdentifier.trim(),
      is_agreed: true,
    } as const
    setBusy(true)
    answer.clear()
    try {
      const started = await startSignUp(wish)
      session.openSignUp(started.access_token)
      await navigate({ to: '/sign-up/otp', state: { signUpStep: signUpStepOf(started, wish) } })
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(false)
    }
  }

  /** What the server says of the phone passes after three seconds; what it says of another field stays by it. */
  function refuse(error: unknown) {
    const refused = isFailure(error) && error.kind === 'refusal' ? error.errors : {}
    const known: Errors = {}
    for (const field of fields) {
      const key = refused[field]?.[0]
      if (field !== 'phone' && key !== undefined) known[field] = key
    }
    if (Object.keys(known).length > 0) setErrors(known)
    else {
      answer.show(() => refusalText(error))
      phoneRef.current?.focus()
    }
  }

  return (
    <AuthSheet
      heading={<Trans>Реєстрація</Trans>}
      lead={<Trans>Для нотаріусів. Номер телефону підтвердимо кодом із SMS.</Trans>}
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <ErrorSummary
          attempt={attempt}
          errors={fields.flatMap((field) => {
            const message = textOf(field)
            return message === null ? [] : [{ fieldId: fieldId(field), message }]
          })}
        />
        <TextField
          ref={fullNameRef}
          id={fieldId('full_name')}
          label={t`Прізвище, ім’я, по батькові`}
          name="full_name"
          autoComplete="name"
          maxLength={200}
          defaultValue={kept.fullName}
          onInput={({ currentTarget }) => {
            typedSignUp.keep({ fullName: currentTarget.value })
            mend('full_name')
          }}
          error={textOf('full_name')}
        />
        <PhoneField
          ref={phoneRef}
          id={fieldId('phone')}
          label={t`Номер телефону`}
          name="phone"
          value={typed}
          onValueChange={(text) => {
            setTyped(text)
            typedPhone.keep(text)
            mend('phone')
          }}
          error={textOf('phone') ?? answer.underField}
        />
        <MaskedField
          ref={registryIdentifierRef}
          mask={registryIdentifierMask}
          id={fieldId('registry_identifier')}
          label={t`Ідентифікатор у реєстрі`}
          hint={t`Від 4 до 15 літер і цифр, як у Єдиному реєстрі нотаріусів`}
          name="registry_identifier"
          autoComplete="off"
          spellCheck={false}
          defaultValue={kept.registryIdentifier}
          onValueChange={(registryIdentifier) => {
            typedSignUp.keep({ registryIdentifier })
            mend('registry_identifier')
          }}
          error={textOf('registry_identifier')}
        />
        <Agreement
          id={fieldId('is_agreed')}
          checked={agreed}
          onChange={(event) => {
            setAgreed(event.target.checked)
            typedSignUp.keep({ agreed: event.target.checked })
            mend('is_agreed')
          }}
          error={textOf('is_agreed')}
        />
        <div className="flex flex-col gap-3">
          <QuietLine>{answer.byButton}</QuietLine>
          <Button type="submit" variant="primary" wide loading={busy}>
            <Trans>Зареєструватися</Trans>
          </Button>
          <Link to="/login" className={buttonClass({ wide: true })}>
            <Trans>У мене вже є обліковий запис</Trans>
          </Link>
        </div>
      </form>
    </AuthSheet>
  )
}
