import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { clientPagesQuery, deleteClient } from '@/api/address-book'
import { bookKey } from '@/api/book-key'
import { type BookClient } from '@/api/client-search'
import { lastClientQuery } from '@/api/cart'
import { queryClient } from '@/api/query-client'
import { DialogForm } from '@/forms/dialog-form'
import { FailedLine } from '@/forms/failed'
import { shortDate } from '@/lib/dates'
import { usePausedText } from '@/lib/use-paused-text'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { announce } from '@/ui/live-region'
import { LoadMore } from '@/ui/load-more'
import { Sheet } from '@/ui/sheet'
import { TextField } from '@/ui/text-field'
import { useFocusAfter } from '@/ui/use-focus-after'

import { LoadFailure, Waiting } from './list-states'

/** The pause in the typing after which the list follows. */
const PAUSE_MS = 250

/** The clients of the address book, the last used first. */
export function Clients() {
  const { t } = useLingui()
  const [typed, setTyped] = useState('')
  const text = usePausedText(typed.trim(), PAUSE_MS)
  const pages = useInfiniteQuery({
    ...clientPagesQuery(text),
    placeholderData: keepPreviousData,
    retryOnMount: false,
  })
  const clients = pages.data?.pages.flatMap((page) => page.clients) ?? []
  return (
    <Sheet heading={<Trans>Клієнти</Trans>}>
      <div className="flex flex-col gap-4">
        <TextField
          type="search"
          label={t`Пошук клієнта`}
          hint={t`Будь-яка частина імені або коду`}
          value={typed}
          onValueChange={setTyped}
          autoComplete="off"
          className="sm:max-w-md"
        />
        {pages.isPending && <Waiting />}

        {pages.isSuccess && clients.length === 0 && <Nobody sought={text !== ''} />}
        {clients.length > 0 && <ClientList clients={clients} />}
        {pages.isError && (
          <LoadFailure
            title={<Trans>Клієнтів не вдалося завантажити</Trans>}
            error={pages.error}
            loading={pages.isFetching}
            onRetry={() => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch())}
          />
        )}
        {pages.isSuccess && pages.hasNextPage && (
          <LoadMore
            automatic={false}
            hasMore
            loading={pages.isFetchingNextPage}
            onMore={() => void pages.fetchNextPage()}
          />
        )}
      </div>
    </Sheet>
  )
}

function Nobody({ sought }: { readonly sought: boolean }) {
  return sought ? (
    <EmptyState icon="person" title={<Trans>Такого клієнта в довіднику немає</Trans>}>
      <Trans>Перевірте написання або введіть лише частину імені чи коду.</Trans>
    </EmptyState>
  ) : (
    <EmptyState icon="person" title={<Trans>Клієнтів ще немає</Trans>}>
      <Trans>Клієнт з’явиться тут, коли ви додасте до кошика перший платіж за нього.</Trans>
    </EmptyState>
  )
}

function ClientList({ clients }: { readonly clients: readonly BookClient[] }) {
  const { t } = useLingui()
  const list = useRef<HTMLUListElement>(null)
  const [asked, setAsked] = useState<BookClient | null>(null)
  const [deletedId, setDeletedId] = useState<string | null>(null)
  // Not to the next button, which a second press would use.
  useFocusAfter(deletedId !== null && !clients.some(({ id }) => id === deletedId), list)
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={t`Клієнти`} className="flex flex-col">
        {clients.map((client) => (
          <li
            key={client.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-rule py-3 first:pt-0"
          >
            <div className="flex min-w-0 flex-col gap-0.5">
              <p className="font-medium break-words">{client.full_name}</p>
              <p className="text-sm text-ink-soft">
                <span className="tabular-nums">{client.inn}</span>
                {' · '}
                <Trans>останній платіж {shortDate(client.used_at)}</Trans>
              </p>
            </div>
            <Button
              size="small"
              aria-label={t`Видалити з довідника: ${client.full_name}`}
              onClick={() => setAsked(client)}
            >
              <Trans>Видалити</Trans>
            </Button>
          </li>
        ))}
      </ul>
      {asked !== null && (
        <DeleteClient
          client={asked}
          onClose={() => setAsked(null)}
          onDeleted={() => setDeletedId(asked.id)}
        />
      )}
    </>
  )
}

interface DeleteClientProps {
  readonly client: BookClient
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Asks before a client is taken out of the address book, since that can't be undone. */
function DeleteClient({ client, onClose, onDeleted }: DeleteClientProps) {
  const { t } = useLingui()
  const name = client.full_name
  const removal = useMutation({
    mutationFn: () => deleteClient(client.id),
    onSuccess: async () => {
      onDeleted()
      onClose()
      announce(t`Видалено з довідника: ${name}`)
      void queryClient.invalidateQueries({ queryKey: lastClientQuery().queryKey })
      await queryClient.invalidateQueries({ queryKey: bookKey.clients })
    },
  })
  return (
    <DialogForm
      open
      onClose={onClose}
      title={<Trans>Видалити клієнта з довідника?</Trans>}
      busy={removal.isPending}
      variant="danger"
      submit={<Trans>Видалити</Trans>}
      cancel={<Trans>Не видаляти</Trans>}
      onSubmit={() => removal.mutate()}
    >
      <p className="break-words">
        {name}, <span className="tabular-nums">{client.inn}</span>
      </p>
      <p className="mt-2 text-sm text-ink-soft">
        <Trans>
          Клієнта більше не буде запропоновано у формі. Платежі в кошику та замовлення залишаться без змін:
          вони потрібні для обліку.
        </Trans>
      </p>
      <FailedLine failure={removal.error} className="mt-3 text-sm" />
    </DialogForm>
  )
}
