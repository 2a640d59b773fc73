import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { isFailure, isNotFound } from '@/api/failure'
import { failureText } from '@/i18n/message-texts'
import { Button, buttonClass } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { PageHeading } from '@/ui/page-heading'
import { GuestFrame } from './guest-layout'
import { NotFoundPage } from './not-found-page'

/** A page that could not be loaded or drawn: what happened, another try, and a way out. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const { i18n } = useLingui()
  const router = useRouter()
  if (isNotFound(error)) return <NotFoundPage />

  const requestId = isFailure(error) && error.kind === 'server' ? error.requestId : null
  return (
    <EmptyState
      icon="alert"
      title={
        <PageHeading>
          <Trans>Сторінку не вдалося відкрити</Trans>
        </PageHeading>
      }
      actions={
        <>
          <Button
            variant="primary"
            icon="refresh"
            onClick={() => {
              reset()
              void router.invalidate()
            }}
          >
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
            Номер звернення для підтримки: <span className="font-mono break-all select-all">{requestId}</span>
          </Trans>
        </p>
      )}
    </EmptyState>
  )
}

/** The same where there is nothing around it yet. */
export function LoneErrorPage(props: ErrorComponentProps) {
  return (
    <GuestFrame>
      <ErrorPage {...props} />
    </GuestFrame>
  )
}
