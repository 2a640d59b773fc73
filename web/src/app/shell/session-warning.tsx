import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { session } from '@/api/session'
import { failureText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { showToast } from '@/ui/toast'

const warnBeforeMilliseconds = 3 * 60_000
const lookEveryMilliseconds = 5_000

function useEnd(): number | null {
  return useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.state.endsAt,
  )
}

/** The current time, updated every few seconds while the session has a known end. */
function useNow(endsAt: number | null): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (endsAt === null) return undefined
    const timer = setInterval(() => setNow(Date.now()), lookEveryMilliseconds)
    return () => clearInterval(timer)
  }, [endsAt])
  return now
}

/** Warns some minutes before the session ends and extends it in one click, as far as the server allows. */
export function SessionWarning() {
  const { i18n } = useLingui()
  const endsAt = useEnd()
  const now = useNow(endsAt)
  const [renewing, setRenewing] = useState(false)
  /** The end that a renewal did not extend. */
  const [fixedEnd, setFixedEnd] = useState<number | null>(null)
  const left = endsAt === null ? Number.POSITIVE_INFINITY : endsAt - now
  const over = left <= 0

  useEffect(() => {
    // The renewal of an ended session leads to the login with a way back. It is repeated, since the clocks may differ or the
    // server may be unavailable.
    if (over) void session.renew().catch(() => undefined)
  }, [over, now])

  async function stay() {
    setRenewing(true)
    session.attend()
    try {
      await session.renew()
      if (session.state.endsAt === endsAt) setFixedEnd(endsAt)
    } catch (error) {
      showToast({ tone: 'error', text: failureText(error, i18n), lasts: 8000 })
    } finally {
      setRenewing(false)
    }
  }

  return (
    <div role="status">
      {left <= warnBeforeMilliseconds && (
        <div className="flex flex-wrap items-center justify-center gap-x-5 gap-y-2 bg-caution-wash px-4 py-3 text-center text-sm text-caution">
          <p className="font-medium">
            <Plural
              value={Math.max(1, Math.ceil(left / 60_000))}
              one="Сеанс завершиться за # хвилину."
              few="Сеанс завершиться за # хвилини."
              many="Сеанс завершиться за # хвилин."
              other="Сеанс завершиться за # хвилини."
            />{' '}
            {fixedEnd === endsAt ? (
              <Trans>Після цього потрібно буде ввійти знову. Введені дані буде збережено.</Trans>
            ) : (
              <Trans>Введені дані буде збережено.</Trans>
            )}
          </p>
          {fixedEnd !== endsAt && (
            <Button size="small" loading={renewing} onClick={() => void stay()}>
              <Trans>Продовжити сеанс</Trans>
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
