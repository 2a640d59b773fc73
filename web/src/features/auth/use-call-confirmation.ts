import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isFailure, Refusal } from '@/api/failure'
import { verifyPhoneCall } from '@/api/login'
import { subscribe } from '@/api/realtime'
import { session } from '@/api/session'

/** The result in the publication after "1" was pressed (specification, point 4). */
const confirmedResult = 10

/** How often the server is asked while the realtime channel is not connected. */
const askEveryMilliseconds = 4000

function resultOf(publication: unknown): unknown {
  return typeof publication === 'object' && publication !== null && 'result' in publication
    ? publication.result
    : null
}

/** Returns a function that runs the work once the run before has ended. While a run is waiting, a call starts no further one. */
function oneAtATime(work: () => Promise<void>): () => void {
  let runs = Promise.resolve()
  let isNextWaiting = false
  return () => {
    if (isNextWaiting) return
    isNextWaiting = true
    runs = runs.then(() => {
      isNextWaiting = false
      return work()
    })
  }
}

interface Call {
  readonly phone: string
  readonly transactionId: string
  /** RFC 3339. */
  readonly expiresAt: string
}

type FailureReason = 'call_not_confirmed' | 'call_already_used'

interface CallEvents {
  readonly onConfirmed: (opened: Awaited<ReturnType<typeof verifyPhoneCall>>) => void
  readonly onFailed: (reason: FailureReason) => void
  /** Called after each failed request; `away`: it had no answer. */
  readonly onAway: (away: boolean) => void
}

/** Waits until the call is confirmed, has failed or is over. Returns a function that stops the waiting. */
function awaitConfirmation(call: Call, { onConfirmed, onFailed, onAway }: CallEvents): () => void {
  const waiting = new AbortController()
  const { signal } = waiting
  let asking: ReturnType<typeof setInterval> | undefined

  function giveUp(reason: FailureReason = 'call_not_confirmed') {
    if (signal.aborted) return
    waiting.abort()
    onFailed(reason)
  }

  // The call opens one session, so a second request at the same time would be refused and hide the answer to the first.
  const ask = oneAtATime(async () => {
    if (signal.aborted) return
    try {
      const opened = await verifyPhoneCall({ phone: call.phone, transaction_id: call.transactionId }, signal)
      waiting.abort()
      onConfirmed(opened)
    } catch (error) {
      if (signal.aborted) return
      const isUnanswered = isFailure(error) && !(error instanceof Refusal)
      const isTooOften = error instanceof Refusal && error.retryAfter !== null
      const isCallOn = error instanceof Refusal && error.key === 'call_not_confirmed'
      onAway(isUnanswered)
      if (isUnanswered || isTooOften) askOnwards()
      else if (error instanceof Refusal && error.key === 'call_already_used') giveUp('call_already_used')
      else if (!isCallOn) giveUp()
    }
  })

  /** Asks regularly from now on, for the case that a firewall blocks the channel or an answer was lost. */
  function askOnwards() {
    if (!signal.aborted) asking ??= setInterval(ask, askEveryMilliseconds)
  }

  void subscribe({
    channel: call.transactionId,
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
  const over = setTimeout(giveUp, Math.max(Date.parse(call.expiresAt) - Date.now(), askEveryMilliseconds))

  return () => {
    waiting.abort()
    clearInterval(asking)
    clearTimeout(over)
  }
}

/** Opens the session when the call is confirmed, and otherwise leads back to the login with the reason. */
export function useCallConfirmation({ phone, transactionId, expiresAt }: Call) {
  const navigate = useNavigate()
  /** The last request had no answer. */
  const [away, setAway] = useState(false)

  useEffect(
    () =>
      awaitConfirmation(
        { phone, transactionId, expiresAt },
        {
          onConfirmed: (opened) => session.open(opened),
          onFailed: (loginReason) =>
            void navigate({
              to: '/login',
              replace: true,
              state: ({ returnTo }) => ({
                loginReason,
                ...(returnTo !== undefined && { returnTo }),
              }),
            }),
          onAway: setAway,
        },
      ),
    [phone, transactionId, expiresAt, navigate],
  )

  return { away }
}
