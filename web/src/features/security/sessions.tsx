import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { queryClient } from '@/api/query-client'
import { endSession, securityKey, sessionsQuery, type SignedInSession } from '@/api/security'
import { Failed, FailedLine } from '@/forms/failed'
import { longMoment } from '@/lib/dates'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { Sheet } from '@/ui/sheet'
import { Skeleton } from '@/ui/skeleton'
import { StatusMark } from '@/ui/status-mark'
import { useFocusAfter } from '@/ui/use-focus-after'
import { EndOthers } from './end-others'

/** Where the notary is signed in. */
export function Sessions() {
  const sessions = useQuery({ ...sessionsQuery(), retryOnMount: false })
  return (
    <Sheet heading={<Trans>Де ви ввійшли</Trans>}>
      {sessions.isPending && <Waiting />}
      {sessions.isError && sessions.data === undefined && (
        <Failed
          failure={sessions.error}
          title={<Trans>Список сеансів не вдалося завантажити</Trans>}
          retry={<Trans>Спробувати ще раз</Trans>}
          retrying={sessions.isFetching}
          onRetry={() => void sessions.refetch()}
        />
      )}
      {sessions.data && <SessionList sessions={sessions.data} />}
    </Sheet>
  )
}

function SessionList({ sessions }: { readonly sessions: readonly SignedInSession[] }) {
  const { t } = useLingui()
  const list = useRef<HTMLUListElement>(null)
  const [endedId, setEndedId] = useState<string | null>(null)
  const [othersEnded, setOthersEnded] = useState(false)
  const hasOthers = sessions.some((session) => !session.is_current)
  // Not to the next button, which a second press would use.
  useFocusAfter(endedId !== null && !sessions.some(({ id }) => id === endedId), list)
  useFocusAfter(othersEnded && !hasOthers, list)
  return (
    <div className="flex flex-col gap-5">
      <ul ref={list} tabIndex={-1} aria-label={t`Відкриті сеанси`} className="flex flex-col">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnded={() => setEndedId(session.id)} />
        ))}
      </ul>
      {hasOthers ? (
        <EndOthers onEnded={() => setOthersEnded(true)} />
      ) : (
        <p className="text-sm text-ink-soft">
          <Trans>Інших відкритих сеансів немає.</Trans>
        </p>
      )}
    </div>
  )
}

interface SessionRowProps {
  readonly session: SignedInSession
  readonly onEnded: () => void
}

function SessionRow({ session, onEnded }: SessionRowProps) {
  const { t } = useLingui()
  const locale = useLocale()
  const browser = session.browser ?? t`Невідомий браузер`
  const end = useMutation({
    mutationFn: () => endSession(session.id),
    onSuccess: async () => {
      onEnded()
      announce(t`Сеанс завершено: ${browser}`)
      await queryClient.invalidateQueries({ queryKey: securityKey })
    },
  })
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-rule py-4 first:pt-0">
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          {browser}
          {session.is_current && (
            <StatusMark tone="success">
              <Trans>Цей сеанс</Trans>
            </StatusMark>
          )}
        </p>
        <p className="text-sm text-ink-soft">
          <Trans>Останнє використання: {longMoment(session.last_used_at, locale)}</Trans>
        </p>
        <p className="text-sm text-ink-soft">
          <Trans>Вхід: {longMoment(session.created_at, locale)}</Trans>
        </p>
        {session.network !== null && (
          <p className="text-sm text-ink-soft">
            <Trans>
              Мережа: <span className="whitespace-nowrap">{session.network}</span>
            </Trans>
          </p>
        )}
        <FailedLine failure={end.error} className="text-sm" />
      </div>
      {!session.is_current && (
        <Button
          size="small"
          loading={end.isPending}
          aria-label={t`Завершити сеанс: ${browser}`}
          onClick={() => end.mutate()}
        >
          <Trans>Завершити</Trans>
        </Button>
      )}
    </li>
  )
}

function Waiting() {
  const { t } = useLingui()
  return (
    // As high as the list with this session alone, so that nothing below it moves.
    <div role="status" aria-label={t`Завантаження…`} className="flex min-h-41.5 flex-col gap-3">
      <Skeleton className="h-5 w-48 max-w-full" />
      <Skeleton className="h-4 w-80 max-w-full" />
      <Skeleton className="h-4 w-64 max-w-full" />
    </div>
  )
}
