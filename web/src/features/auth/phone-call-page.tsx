import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate, useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isFailure, Refusal } from '@/api/failure'
import { verifyPhoneCall } from '@/api/login'
import { subscribe } from '@/api/realtime'
import { session } from '@/api/session'
import { maskedPhone } from '@/lib/phone'
import { buttonClass } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Spinner } from '@/ui/spinner'
import { AuthSheet } from './auth-sheet'

/** The result in the publication after "1" was pressed (specification, point 4). */
const confirmedResult = 10

/** How often the server is asked while the realtime channel is not connected. */
const askEveryMilliseconds = 4000

function resultOf(publication: unknown): unknown {
  return typeof publication === 'object' && publication !== null && 'result' in publication
    ? publication.result
    : null
}

export default function PhoneCallPage() {
  const { t } = useLingui()
  const { step } = useRouteContext({ from: '/guest/login/phone-call' })
  const navigate = useNavigate()
  const phone = maskedPhone(step.phone)
  const { phone: number, transactionId, expiresAt } = step

  /** The last request had no answer. */
  const [away, setAway] = useState(false)

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    let asking: ReturnType<typeof setInterval> | undefined

    function giveUp(loginReason: 'call_not_confirmed' | 'call_already_used' = 'call_not_confirmed') {
      if (signal.aborted) return
      leaving.abort()
      void navigate({
        to: '/login',
        replace: true,
        state: ({ returnTo }) => ({
          loginReason,
          ...(returnTo !== undefined && { returnTo }),
        }),
      })
    }

    async function askOnce() {
      if (signal.aborted) return
      try {
        const opened = await verifyPhoneCall({ phone: number, transaction_id: transactionId }, signal)
        leaving.abort()
        session.open(opened)
      } catch (error) {
        if (signal.aborted) return
        const isUnanswered = isFailure(error) && !(error instanceof Refusal)
        const isTooOften = error instanceof Refusal && error.retryAfter !== null
        const isCallOn = error instanceof Refusal && error.key === 'call_not_confirmed'
        setAway(isUnanswered)
        if (isUnanswered || isTooOften) askOnwards()
        else if (error instanceof Refusal && error.key === 'call_already_used') giveUp('call_already_used')
        else if (!isCallOn) giveUp()
      }
    }

    let questions = Promise.resolve()
    let isNextAsked = false

    /** One request at a time: the call opens one session, so a second request would be refused and hide the answer to the first. */
    function ask() {
      if (isNextAsked) return
      isNextAsked = true
      questions = questions.then(() => {
        isNextAsked = false
        return askOnce()
      })
    }

    /** Asks regularly from now on, for the case that a firewall blocks the channel or an answer was lost. */
    function askOnwards() {
      if (!signal.aborted) asking ??= setInterval(ask, askEveryMilliseconds)
    }

    void subscribe({
      channel: transactionId,
      signal,
      onPublication: (data) => {
        if (resultOf(data) === confirmedResult) ask()
        else giveUp()
      },
      onSilence: () => {
        if (asking === undefined) ask()
        askOnwards()
      },
      // The person may have pressed before the channel was connected.
      onHeard: ask,
    })
    const over = setTimeout(giveUp, Math.max(Date.parse(expiresAt) - Date.now(), askEveryMilliseconds))

    return () => {
      leaving.abort()
      clearInterval(asking)
      clearTimeout(over)
    }
  }, [number, transactionId, expiresAt, navigate])

  return (
    <AuthSheet
      heading={<Trans>Зараз вам зателефонують</Trans>}
      lead={
        <Trans>
          Дзвінок надійде на номер <span className="font-medium whitespace-nowrap text-ink">{phone}</span>.
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
            ? t`Немає зв’язку із сервером. Щойно він відновиться, вхід продовжиться автоматично.`
            : t`Чекаємо на ваше підтвердження…`}
        </p>
      </div>
      <ol className="flex list-decimal pl-6 flex-col gap-1.5">
        <li>
          <Trans>Прийміть дзвінок.</Trans>
        </li>
        <li>
          <Trans>Виконайте вказівки оператора й натисніть 1.</Trans>
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
