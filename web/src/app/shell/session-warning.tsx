import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { session } from '@/api/session'
import { failureText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { showToast } from '@/ui/toast'

const warnBeforeMilliseconds = 3 * 60_000

/** Whole minutes until the session ends, once there are only a few; null before. */
function useMinutesLeft(): number | null {
  const endsAt = useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.state.endsAt,
  )
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (endsAt === null) return undefined
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [endsAt])
  if (endsAt === null || endsAt - now > warnBeforeMilliseconds) return null
  return Math.max(1, Math.ceil((endsAt - now) / 60_000))
}

/** Warns before the session ends and lengthens it in one click; what has been typed is kept either way. */
export function SessionWarning() {
  const { i18n } = useLingui()
  const minutes = useMinutesLeft()
  const [renewing, setRenewing] = useState(false)

  async function stay() {
    setRenewing(true)
    try {
      await session.renew()
    } catch (error) {
      showToast({ tone: 'error', text: failureText(error, i18n), lasts: 8000 })
    } finally {
      setRenewing(false)
    }
  }

  return (
    <div role="status" className="sticky top-0 z-40 print:hidden">
      {minutes !== null && (
        <div className="flex flex-wrap items-center justify-center gap-x-5 gap-y-2 bg-caution-wash px-4 py-3 text-sm text-caution">
          <p className="font-medium">
            <Plural
              value={minutes}
              one="Сеанс завершиться за # хвилину."
              few="Сеанс завершиться за # хвилини."
              many="Сеанс завершиться за # хвилин."
              other="Сеанс завершиться за # хвилини."
            />{' '}
            <Trans>Введене буде збережено.</Trans>
          </p>
          <Button size="small" loading={renewing} onClick={() => void stay()}>
            <Trans>Продовжити сеанс</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}
