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

// Only while the server is away. Without its script, too, the page says what has happened.
const nothing = () => ({ default: () => null })
const KeptInTab = lazy(() => import('./offline/load').then(({ loadKept }) => loadKept(), nothing))

/** Shown when a page could not be loaded or rendered: the reason, a retry and a way out. */
export function ErrorPage(props: ErrorComponentProps) {
  return isNotFound(props.error) ? <NotFoundPage /> : <Broken {...props} />
}

function Broken({ error, reset }: ErrorComponentProps) {
  useEffect(() => {
    if (error instanceof MissingPart) void reloadForNewParts()
  }, [error])
  const { t, i18n } = useLingui()
  const title = t`Сторінку не вдалося відкрити`
  // The title must not claim, for example, that an order is paid.
  usePageTitleInstead(title)

  const failure = isFailure(error) ? error : null
  const isLost = failure?.kind === 'network'
  const goOn = useGoingOn(reset, isLost)
  // The data that broke the page is cached and would break it again.
  const tryAgain = failure ? goOn : reloadPage
  const requestId = failure?.kind === 'server' ? failure.requestId : null
  // Beyond 501 the server is away for a while, or its proxy says so.
  const isAway = isLost || (failure?.kind === 'server' && failure.status > 501)
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
      {isAway && (
        <Suspense>
          <KeptInTab goOn={goOn} />
        </Suspense>
      )}
    </>
  )
}

/** Returns a function that loads the page again. If the connection is lost, it goes on by itself, as the offline banner promises. */
function useGoingOn(reset: () => void, isLost: boolean): () => void {
  const router = useRouter()
  function goOn() {
    reset()
    void router.invalidate()
  }
  useEffect(() => {
    if (!isLost) return undefined
    window.addEventListener('online', goOn)
    return () => window.removeEventListener('online', goOn)
  })
  return goOn
}

/** The same page with a frame of its own, for a failure before any frame is loaded. */
export function LoneErrorPage(props: ErrorComponentProps) {
  return (
    <GuestFrame>
      <ErrorPage {...props} />
    </GuestFrame>
  )
}
