/** Waiting for the result of a call in which a key is pressed. */
import { isFailure, Refusal } from '@/api/failure'
import { subscribe } from '@/api/realtime'

/** The result in the publication after "1" was pressed (specification, point 4). */
const confirmedResult = 10

/** How often the server is asked while the realtime channel is not connected. */
const askEveryMilliseconds = 4000
/** How often it is asked while the channel is connected, in case a message is lost on its way between servers. */
const askRarelyMilliseconds = 12_000

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

/** Asks again and again until the waiting is stopped, at first rarely. */
function askingAgain(ask: () => void, signal: AbortSignal) {
  let isOften = false
  let asking = setInterval(ask, askRarelyMilliseconds)
  signal.addEventListener('abort', () => clearInterval(asking))
  return {
    isOften: () => isOften,
    /** Asks more often from now on, for the case that a firewall blocks the channel or an answer was lost. */
    often: () => {
      if (signal.aborted || isOften) return
      isOften = true
      clearInterval(asking)
      asking = setInterval(ask, askEveryMilliseconds)
    },
  }
}

interface Call<Confirmed> {
  readonly transactionId: string
  /** RFC 3339. */
  readonly expiresAt: string
  /** Asks the server for the result of the call. Throws while there is none. */
  readonly verify: (signal: AbortSignal) => Promise<Confirmed>
}

type CallFailure = 'call_not_confirmed' | 'call_already_used'

interface CallEvents<Confirmed> {
  readonly onConfirmed: (confirmed: Confirmed) => void
  readonly onFailed: (reason: CallFailure) => void
  /** Called after each failed request; `away`: it had no answer. */
  readonly onAway: (away: boolean) => void
}

/** Waits until the call is confirmed, has failed or is over. Returns a function that stops the waiting. */
export function awaitCall<Confirmed>(
  { transactionId, expiresAt, verify }: Call<Confirmed>,
  { onConfirmed, onFailed, onAway }: CallEvents<Confirmed>,
): () => void {
  const waiting = new AbortController()
  const { signal } = waiting
  function giveUp(reason: CallFailure = 'call_not_confirmed') {
    if (signal.aborted) return
    waiting.abort()
    onFailed(reason)
  }

  // A call confirms once, so a second request at the same time would be refused and hide the answer to the first.
  const ask = oneAtATime(async () => {
    if (signal.aborted) return
    try {
      const confirmed = await verify(signal)
      waiting.abort()
      onConfirmed(confirmed)
    } catch (error) {
      if (signal.aborted) return
      const isUnanswered = isFailure(error) && !(error instanceof Refusal)
      const isTooOften = error instanceof Refusal && error.retryAfter !== null
      const isCallOn = error instanceof Refusal && error.key === 'call_not_confirmed'
      onAway(isUnanswered)
      if (isUnanswered || isTooOften) asking.often()
      else if (error instanceof Refusal && error.key === 'call_already_used') giveUp('call_already_used')
      else if (!isCallOn) giveUp()
    }
  })

  const asking = askingAgain(ask, signal)
  void subscribe({
    channel: transactionId,
    signal,
    onPublication: (data) => {
      if (resultOf(data) === confirmedResult) ask()
      else giveUp()
    },
    onSilence: () => {
      if (!asking.isOften()) ask()
      asking.often()
    },
    // The person may have pressed before the channel was connected.
    onHeard: ask,
  })
  const over = setTimeout(giveUp, Math.max(Date.parse(expiresAt) - Date.now(), askEveryMilliseconds))
  signal.addEventListener('abort', () => clearTimeout(over))
  return () => waiting.abort()
}
