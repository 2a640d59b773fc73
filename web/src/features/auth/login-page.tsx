import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { isFailure, type MessageKey } from '@/api/failure'
import { startLogin } from '@/api/login'
import { messageText } from '@/i18n/message-texts'
import { parsePhone } from '@/lib/phone'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { PhoneField } from '@/ui/phone-field'
import { Agreement } from './agreement'
import { QuietLine } from './auth-sheet'
import { LoginSheet } from './login-sheet'
import { refusalText } from './refusal-text'
import { loginStepOf, pageOfStep } from './steps'
import { typedPhone } from './typed-phone'
import { usePassingMessage } from './use-passing-message'

export default function LoginPage() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const state = useLocation({ select: (location) => location.state })
  const phoneRef = useRef<HTMLInputElement>(null)
  const agreementId = useId()
  const [typed, setTyped] = useState(typedPhone.get)
  const [phoneError, setPhoneError] = useState<MessageKey | null>(null)
  /** The terms are asked about only once the server has (specification, point 2). */
  const [termsAsked, setTermsAsked] = useState(false)
  const [agreed, setAgreed] = useState(false)
  const [agreementMissed, setAgreementMissed] = useState(false)
  const [busy, setBusy] = useState(false)
  const answer = usePassingMessage()

  useEffect(() => {
    const field = phoneRef.current
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])

  useEffect(() => {
    if (termsAsked) document.querySelector<HTMLElement>(`#${CSS.escape(agreementId)}`)?.focus()
  }, [termsAsked, agreementId])

  function typing(text: string) {
    setTyped(text)
    typedPhone.keep(text)
    setPhoneError(null)
    answer.clear()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const phone = parsePhone(typed)
    const missed = termsAsked && !agreed
    setPhoneError(phone.ok ? null : phone.error)
    setAgreementMissed(missed)
    if (!phone.ok) return phoneRef.current?.focus()
    if (missed) return document.querySelector<HTMLElement>(`#${CSS.escape(agreementId)}`)?.focus()

    setBusy(true)
    answer.clear()
    try {
      const started = await startLogin({
        phone: phone.value,
        ...(termsAsked && { is_agree_with_terms: agreed }),
      })
      const step = loginStepOf(started, phone.value, agreed)
      await navigate({
        to: pageOfStep[step.kind],
        state: { loginStep: step, ...(state.returnTo !== undefined && { returnTo: state.returnTo }) },
      })
    } catch (error) {
      if (isFailure(error) && error.kind === 'refusal' && error.key === 'user_not_agreed_with_new_terms') {
        setTermsAsked(true)
      } else {
        answer.show(() => refusalText(error))
        phoneRef.current?.focus()
      }
    } finally {
      setBusy(false)
    }
  }

  return (
    <LoginSheet>
      {state.loginReason === 'session_expired' && (
        <Notice tone="info" title={t`Сеанс завершився`}>
          <Trans>Увійдіть ще раз: ви повернетеся на ту саму сторінку, введені дані збережено.</Trans>
        </Notice>
      )}
      {state.loginReason === 'call_not_confirmed' && (
        <Notice tone="warn" title={t`Дзвінок не підтверджено`}>
          <Trans>Спробуйте ще раз: прийміть дзвінок і натисніть 1.</Trans>
        </Notice>
      )}
      {state.loginReason === 'call_already_used' && (
        <Notice tone="warn" title={t`Цей дзвінок уже використано`}>
          <Trans>За ним уже виконано вхід. Щоб увійти тут, почніть вхід спочатку.</Trans>
        </Notice>
      )}
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <PhoneField
          ref={phoneRef}
          label={t`Номер телефону`}
          name="phone"
          value={typed}
          onValueChange={typing}
          error={phoneError === null ? answer.underField : messageText(phoneError)}
        />
        {termsAsked && (
          <div className="flex flex-col gap-3">
            <Notice tone="warn" announce>
              <Trans>Умови публічної оферти оновлено. Прочитайте їх і погодьтеся, щоб увійти.</Trans>
            </Notice>
            <Agreement
              id={agreementId}
              checked={agreed}
              onChange={(event) => {
                setAgreed(event.target.checked)
                setAgreementMissed(false)
              }}
              error={agreementMissed ? messageText('agreed_required') : null}
            />
          </div>
        )}
        <div className="flex flex-col gap-3">
          <QuietLine>{answer.byButton}</QuietLine>
          <Button type="submit" variant="primary" wide loading={busy}>
            <Trans>Увійти</Trans>
          </Button>
          <Link to="/sign-up" className={buttonClass({ wide: true })}>
            <Trans>Зареєструватися</Trans>
          </Link>
        </div>
      </form>
    </LoginSheet>
  )
}
