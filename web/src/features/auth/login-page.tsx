import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation, useNavigate, type HistoryState } from '@tanstack/react-router'
import { Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { Refusal } from '@/api/failure'
import { startLogin } from '@/api/login'
import { GUEST, useDraft } from '@/forms/draft'
import { later } from '@/lib/later'
import { firstScreenIsUsable } from '@/lib/page-timing'
import { ok } from '@/lib/result'
import { Button, buttonClass } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { PhoneField } from '@/ui/phone-field'
import { Agreement } from './agreement'
import { QuietLine } from './auth-sheet'
import { guestDraft, typedByGuest } from './guest-draft'
import { LoginSheet } from './login-sheet'
import { offersCall } from './offers-call'
import { PasskeyLogin } from './passkey-login'
import { readLogin } from './read'
import { loginStepOf, pageOfStep } from './steps'
import { useAuthForm } from './use-auth-form'

/** Needed only where no message can be sent. */
const CallOffer = later(async () => (await import('./call-offer')).CallOffer)

/** The form. It shows the agreement to the terms once the server requires it, and offers a call where no code can be sent. */
function useLoginForm({ returnTo }: HistoryState) {
  const navigate = useNavigate()
  const [termsAsked, setTermsAsked] = useState(false)
  /** The phone to which no code could be sent. */
  const [unreached, setUnreached] = useState<string | null>(null)
  const { form, answer } = useAuthForm({
    name: 'login',
    field: 'phone',
    initial: () => ({ phone: typedByGuest().phone, is_agreed: false }),
    read: (values) => readLogin(values, termsAsked),
    submit: async (request, { is_agreed: agreed }) => {
      const started = await startLogin(request)
      const step = loginStepOf(started, request.phone, agreed)
      await navigate({
        to: pageOfStep[step.kind],
        state: { loginStep: step, ...(returnTo !== undefined && { returnTo }) },
      })
    },
    onFailure: (failure, { sent }) => {
      setUnreached(offersCall(failure) ? sent.phone : null)
      const isAboutTerms = failure instanceof Refusal && failure.key === 'user_not_agreed_with_new_terms'
      if (isAboutTerms) setTermsAsked(true)
      return isAboutTerms
    },
    fieldOf: () => null,
  })
  const { phone } = form.values
  useDraft(
    guestDraft,
    GUEST,
    useMemo(() => ({ ...typedByGuest(), phone }), [phone]),
  )

  const enterAgreement = useEffectEvent(() => form.focus('is_agreed'))
  useEffect(() => {
    if (termsAsked) enterAgreement()
  }, [termsAsked])

  function askForCall() {
    form.send((values) => {
      const read = readLogin(values, termsAsked)
      return read.ok ? ok({ ...read.value, by_call: true }) : read
    })
  }

  return { form, answer, termsAsked, callOffered: unreached !== null && unreached === phone, askForCall }
}

export default function LoginPage() {
  const { t } = useLingui()
  const state = useLocation({ select: (location) => location.state })
  const { form, answer, termsAsked, callOffered, askForCall } = useLoginForm(state)
  const phoneField = form.text('phone')
  useEffect(() => firstScreenIsUsable('login'), [])
  return (
    <LoginSheet>
      {!navigator.cookieEnabled && (
        <Notice tone="warn" title={<Trans>Браузер блокує файли cookie</Trans>}>
          <Trans>
            Без них увійти не можна. Дозвольте їх для цього сайту в налаштуваннях браузера й оновіть сторінку.
          </Trans>
        </Notice>
      )}
      <LoginReason reason={state.loginReason} />
      {state.loginReason === undefined && comesFromBank(state) && <AfterBank />}
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-5">
        <PhoneField
          {...phoneField}
          label={t`Номер телефону`}
          name="phone"
          error={phoneField.error ?? answer.underField}
        />
        {termsAsked && (
          <div className="flex flex-col gap-3">
            <Notice tone="warn" announce>
              <Trans>Умови публічної оферти оновлено. Прочитайте їх і погодьтеся, щоб увійти.</Trans>
            </Notice>
            <Agreement {...form.flag('is_agreed')} />
          </div>
        )}
        <div className="flex flex-col gap-3">
          <QuietLine>{answer.byButton}</QuietLine>
          {callOffered && (
            <Suspense>
              <CallOffer busy={form.busy} onCall={askForCall} />
            </Suspense>
          )}
          <Button type="submit" variant="primary" wide loading={form.busy}>
            <Trans>Увійти</Trans>
          </Button>
          <Link to="/sign-up" className={buttonClass({ wide: true })}>
            <Trans>Зареєструватися</Trans>
          </Link>
          <PasskeyLogin />
        </div>
      </form>
    </LoginSheet>
  )
}

/** Whether somebody without a session was led to the page to which the bank leads every payer. */
function comesFromBank({ returnTo }: HistoryState): boolean {
  return returnTo !== undefined && /^\/order\/[^/]+\/payment-status/u.test(returnTo)
}

/** A client who paid by a link may come here: the bank led them to another browser. */
function AfterBank() {
  const { t } = useLingui()
  return (
    <Notice tone="info" title={t`Ви платили за посиланням від нотаріуса?`}>
      <Trans>
        Входити не потрібно. Якщо ви сплатили, оплату обробляє банк: не платіть ще раз. Результат покаже
        сторінка за тим самим посиланням.
      </Trans>
    </Notice>
  )
}

/** Why the login page is shown, unless the person opened it. */
function LoginReason({ reason }: { readonly reason: HistoryState['loginReason'] }) {
  const { t } = useLingui()
  switch (reason) {
    case 'session_expired':
      return (
        <Notice tone="info" title={t`Сеанс завершився`}>
          <Trans>Увійдіть ще раз: ви повернетеся на ту саму сторінку, введені дані збережено.</Trans>
        </Notice>
      )
    case 'call_not_confirmed':
      return (
        <Notice tone="warn" title={t`Дзвінок не підтверджено`}>
          <Trans>Спробуйте ще раз: прийміть дзвінок і натисніть те, що покаже сторінка.</Trans>
        </Notice>
      )
    case 'call_already_used':
      return (
        <Notice tone="warn" title={t`Цей дзвінок уже використано`}>
          <Trans>За ним уже виконано вхід. Щоб увійти тут, почніть вхід спочатку.</Trans>
        </Notice>
      )
    default:
      return null
  }
}
