import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { deleteRecipient, ownRecipientsQuery, type OwnRecipient } from '@/api/address-book'
import { bookKey } from '@/api/book-key'
import { queryClient } from '@/api/query-client'
import { DialogForm } from '@/forms/dialog-form'
import { FailedLine } from '@/forms/failed'
import { groupIban } from '@/lib/iban'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { announce } from '@/ui/live-region'
import { Sheet } from '@/ui/sheet'
import { useFocusAfter } from '@/ui/use-focus-after'

import { LoadFailure, Waiting } from './list-states'
import { RecipientForm } from './recipient-form'

/** The recipients that the notary has saved. */
export function Recipients() {
  const recipients = useQuery({ ...ownRecipientsQuery(), retryOnMount: false })
  return (
    <Sheet heading={<Trans>Збережені отримувачі</Trans>}>
      {recipients.isPending && <Waiting />}
      {recipients.isError && recipients.data === undefined && (
        <LoadFailure
          title={<Trans>Отримувачів не вдалося завантажити</Trans>}
          error={recipients.error}
          loading={recipients.isFetching}
          onRetry={() => void recipients.refetch()}
        />
      )}
      {recipients.data && <RecipientList recipients={recipients.data} />}
    </Sheet>
  )
}

function RecipientList({ recipients }: { readonly recipients: readonly OwnRecipient[] }) {
  const { t } = useLingui()
  const list = useRef<HTMLDivElement>(null)
  const [edited, setEdited] = useState<string | null>(null)
  const [closed, setClosed] = useState<string | null>(null)
  const [asked, setAsked] = useState<OwnRecipient | null>(null)
  const [deletedId, setDeletedId] = useState<string | null>(null)
  // Not to the next button, which a second press would use.
  useFocusAfter(deletedId !== null && !recipients.some(({ id }) => id === deletedId), list)
  return (
    <div ref={list} tabIndex={-1}>
      {recipients.length === 0 ? (
        <EmptyState title={<Trans>Збережених отримувачів ще немає</Trans>}>
          <Trans>
            Заповніть платіж за реквізитами й натисніть «Зберегти отримувача»: наступного разу його можна буде
            вибрати серед шаблонів.
          </Trans>
        </EmptyState>
      ) : (
        <ul aria-label={t`Збережені отримувачі`} className="flex flex-col">
          {recipients.map((recipient) => (
            <li key={recipient.id} className="border-b border-rule py-4 first:pt-0">
              {edited === recipient.id ? (
                <RecipientForm
                  recipient={recipient}
                  onClose={() => {
                    setEdited(null)
                    setClosed(recipient.id)
                  }}
                />
              ) : (
                <RecipientRow
                  recipient={recipient}
                  isClosed={closed === recipient.id}
                  onEdit={() => setEdited(recipient.id)}
                  onDelete={() => setAsked(recipient)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {asked !== null && (
        <DeleteRecipient
          recipient={asked}
          onClose={() => setAsked(null)}
          onDeleted={() => setDeletedId(asked.id)}
        />
      )}
    </div>
  )
}

interface RecipientRowProps {
  readonly recipient: OwnRecipient
  /** The form of this one was closed last. */
  readonly isClosed: boolean
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function RecipientRow({ recipient, isClosed, onEdit, onDelete }: RecipientRowProps) {
  const { t } = useLingui()
  const edit = useRef<HTMLButtonElement>(null)
  useFocusAfter(isClosed, edit)
  const { title, recipient_name: name, iban, okpo, purpose } = recipient
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="font-medium break-words">{title}</p>
        {name !== title && <p className="break-words">{name}</p>}
        <p className="text-sm text-ink-soft tabular-nums">
          {groupIban(iban)} · {okpo}
        </p>
        {purpose !== null && <p className="text-sm break-words text-ink-soft">{purpose}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button ref={edit} size="small" aria-label={t`Змінити отримувача: ${title}`} onClick={onEdit}>
          <Trans>Змінити</Trans>
        </Button>
        <Button size="small" aria-label={t`Видалити отримувача: ${title}`} onClick={onDelete}>
          <Trans>Видалити</Trans>
        </Button>
      </div>
    </div>
  )
}

interface DeleteRecipientProps {
  readonly recipient: OwnRecipient
  readonly onClose: () => void
  readonly onDeleted: () => void
}

function DeleteRecipient({ recipient, onClose, onDeleted }: DeleteRecipientProps) {
  const { t } = useLingui()
  const { title } = recipient
  const removal = useMutation({
    mutationFn: () => deleteRecipient(recipient.id),
    onSuccess: async () => {
      onDeleted()
      onClose()
      announce(t`Отримувача видалено: ${title}`)
      await queryClient.invalidateQueries({ queryKey: bookKey.recipients })
    },
  })
  return (
    <DialogForm
      open
      onClose={onClose}
      title={<Trans>Видалити отримувача?</Trans>}
      busy={removal.isPending}
      variant="danger"
      submit={<Trans>Видалити</Trans>}
      cancel={<Trans>Не видаляти</Trans>}
      onSubmit={() => removal.mutate()}
    >
      <p className="break-words">{title}</p>
      <p className="mt-2 text-sm text-ink-soft">
        <Trans>Платежі, які вже додано до кошика або сплачено, залишаться без змін.</Trans>
      </p>
      <FailedLine failure={removal.error} className="mt-3 text-sm" />
    </DialogForm>
  )
}
