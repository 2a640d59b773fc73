import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { saveRecipient, type SaveRecipientRequest } from '@/api/address-book'
import { bookKey } from '@/api/book-key'
import { FailedLine } from '@/forms/failed'
import { parseBudgetCode } from '@/lib/budget-code'
import { parseClientCode } from '@/lib/client-code'
import { isBudgetAccount, parseIban } from '@/lib/iban'
import { parseLine } from '@/lib/line'
import { parseOkpo } from '@/lib/okpo'
import { plainLine } from '@/lib/text'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/text-field'
import { showToast } from '@/ui/toast'

import { asTemplate, idOfOwn } from '../own-recipients'
import type { PaymentLists } from '../list'
import type { PaymentFields, PaymentValues } from '../values'

const TITLE_CHARS_MAX = 80

/** The purpose for any client: the marks of a template in place of this client's name and code. */
function purposeForAnybody({ purpose, clientName, clientCode }: PaymentValues): string {
  const name = plainLine(clientName)
  const code = parseClientCode(clientCode)
  const named = name === '' ? purpose : purpose.replaceAll(name, '{clientName}')
  return code.ok ? named.replaceAll(code.value.code, '{clientIPN}') : named
}

/** The recipient as it would be saved; null while its fields are not right. */
function recipientOf(values: PaymentValues): Omit<SaveRecipientRequest, 'title' | 'id'> | null {
  const name = parseLine(values.recipientName, 'recipient_name_required')
  const [iban, okpo] = [parseIban(values.iban), parseOkpo(values.okpo)]
  if (!name.ok || !iban.ok || !okpo.ok) return null
  const budgetCode = parseBudgetCode(values.budgetCode)
  return {
    recipient_name: name.value,
    iban: iban.value,
    okpo: okpo.value,
    cbc_code: isBudgetAccount(iban.value) && budgetCode.ok ? budgetCode.value : null,
    purpose: purposeForAnybody(values),
  }
}

interface SaveRecipientProps {
  readonly form: PaymentFields
  readonly templates: PaymentLists['templates']
}

/** Saves the recipient of the form in the address book. */
export function SaveRecipient({ form, templates }: SaveRecipientProps) {
  const [title, setTitle] = useState<string | null>(null)
  const opener = useRef<HTMLDivElement>(null)
  const recipient = recipientOf(form.values)
  const own = templates.entries.find(({ id }) => id === form.values.templateId && idOfOwn(id) !== null)
  const close = () => {
    setTitle(null)
    // The pressed button disappears, so the one that has opened the field takes the focus.
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus())
  }
  const saving = useSaving(form, close)
  if (recipient === null || (own !== undefined && isSame(own, recipient))) return null

  const named = plainLine(title ?? '').slice(0, TITLE_CHARS_MAX)
  const save = (id: string | null) =>
    saving.mutate({ ...recipient, title: id === null ? named : (own?.title ?? named), id })
  return (
    <div ref={opener} className="flex flex-col gap-3">
      {title === null ? (
        <div className="flex flex-wrap gap-2">
          {own !== undefined && (
            <Button size="small" loading={saving.isPending} onClick={() => save(idOfOwn(own.id))}>
              <Trans>Оновити «{own.title}» у довіднику</Trans>
            </Button>
          )}
          <Button
            size="small"
            icon="plus"
            onClick={() => {
              saving.reset()
              setTitle(recipient.recipient_name?.slice(0, TITLE_CHARS_MAX) ?? '')
            }}
          >
            <Trans>Зберегти отримувача</Trans>
          </Button>
        </div>
      ) : (
        <TitleField
          title={title}
          setTitle={setTitle}
          nameless={named === ''}
          saving={saving.isPending}
          onSave={() => save(null)}
          onClose={close}
        />
      )}
      <FailedLine failure={saving.error} className="text-sm" />
    </div>
  )
}

/** Saves a recipient, which the form then has as its template. */
function useSaving(form: PaymentFields, onSaved: () => void) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: SaveRecipientRequest) => saveRecipient(body),
    onSuccess: (saved) => {
      showToast({ text: t`Отримувача збережено в довіднику` })
      form.change({ templateId: asTemplate(saved).id })
      onSaved()
      void queryClient.invalidateQueries({ queryKey: bookKey.recipients })
    },
  })
}

interface TitleFieldProps {
  readonly title: string
  readonly setTitle: (title: string) => void
  readonly nameless: boolean
  readonly saving: boolean
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Asks for the name of a new recipient in the address book. */
function TitleField({ title, setTitle, nameless, saving, onSave, onClose }: TitleFieldProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-3 rounded-md border border-dashed border-edge p-4">
      <TextField
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label={t`Назва в довіднику`}
        hint={t`Буде серед шаблонів платежу. Ім’я та код клієнта в призначенні щоразу підставляться нові`}
        value={title}
        onValueChange={setTitle}
        maxLength={TITLE_CHARS_MAX}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Not the payment's form.
          event.preventDefault()
          if (!nameless && !saving) onSave()
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant="primary"
          loading={saving}
          disabledReason={nameless ? t`Введіть назву` : null}
          onClick={onSave}
        >
          <Trans>Зберегти</Trans>
        </Button>
        <Button size="small" onClick={onClose}>
          <Trans>Не зберігати</Trans>
        </Button>
      </div>
    </div>
  )
}

/** Whether the saved recipient holds what the form holds. */
function isSame(
  own: PaymentLists['templates']['entries'][number],
  recipient: NonNullable<ReturnType<typeof recipientOf>>,
): boolean {
  return (
    own.recipient_name === recipient.recipient_name &&
    own.recipient_iban === recipient.iban &&
    own.recipient_code === recipient.okpo &&
    own.cbc_code === recipient.cbc_code &&
    own.comment === recipient.purpose
  )
}
