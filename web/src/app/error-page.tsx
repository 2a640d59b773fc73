import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { isFailure, isNotFound } from '@/api/failure'
import { failureText } from '@/i18n/message-texts'
import { reloadPage } from '@/lib/leave-page'
import { reloadForNewParts } from '@/lib/reload-for-new-parts'
import { Button, buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { PageHeading } from '@/ui/page-heading'
import { usePageTitleInstead } from '@/ui/page-title'
import { GuestFrame } from './guest-layout'
import { MissingPart } from './page'
import { NotFoundPage } from './not-found-page'

// Only shown without a connection. Without its script, too, the page says what has happened.
const nothing = () => ({ default: () => null })
const KeptInTab = lazy(() => import('./offline/load').then(({ loadKept }) => loadKept(), nothing))

/** Answers of a server, or of its proxy, that is away for a while. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])
/** How often a page that could not be opened asks whether the server serves again. */
const ASK_MILLISECONDS = 3_000

/** Shown when a page could not be loaded or rendered: the reason, a retry and a way out. */
export function ErrorPage(props: ErrorComponentProps) {
  return isNotFound(props.error) ? <NotFoundPage /> : <Broken {...props} />
}

function Broken({ error, reset }: ErrorComponentProps) {
  useEffect(() => {
    if (error instanceof MissingPart) void reloadForNewParts()
  }, [error])
  const { t, i18n } = useLingui()
  const router = useRouter()
  const title = t`Сторінку не вдалося відкрити`
  // The title must not claim, for example, that an order is paid.
  usePageTitleInstead(title)

  function tryAgain() {
    // The data that broke the page is cached and would break it again.
    if (!isFailure(error)) return reloadPage()
    reset()
    void router.invalidate()
  }

  // The offline banner promises that the work goes on by itself.
  const isLost = isFailure(error) && error.kind === 'network'
  const isAway = isLost || (isFailure(error) && error.kind === 'server' && AWAY.has(error.status))
  useEffect(() => {
    if (!isAway) return undefined
    const goOn = () => {
      reset()
      void router.invalidate()
    }
    const ask = () => void fetch('/readyz').then(({ ok }) => ok && goOn(), Boolean)
    const timer = setInterval(ask, ASK_MILLISECONDS)
    window.addEventListener('online', goOn)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', goOn)
    }
  }, [isAway, reset, router])

  const requestId = isFailure(error) && error.kind === 'server' ? error.requestId : null
  return (
    <>
      <EmptyState
        icon="alert"
        title={<PageHeading>{title}</PageHeading>}
        actions={
          <>
            <Button variant="primary" icon="refresh" onClick={tryAgain}>
              <Trans>Спробувати ще раз</Trans>
            </Button>
            <Link to="/" className={buttonClass()}>
              <Trans>На головну</Trans>
            </Link>
          </>
        }
      >
        <p>{failureText(error, i18n)}</p>
        {requestId !== null && (
          <p className="mt-2 text-sm">
            <Trans>
              Номер помилки для служби підтримки:{' '}
              <span className="font-mono break-all select-all">{requestId}</span>
            </Trans>
          </p>
        )}
      </EmptyState>
      {isLost && (
        <Suspense>
          <KeptInTab />
        </Suspense>
      )}
    </>
  )
}

/** The same page with a frame of its own, for a failure before any frame is loaded. */
export function LoneErrorPage(props: ErrorComponentProps) {
  return (
    <GuestFrame>
      <ErrorPage {...props} />
    </GuestFrame>
  )
}
