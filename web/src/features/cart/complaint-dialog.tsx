import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { complainAboutCartItem } from '@/api/cart'
import { userQuery } from '@/api/user'
import { draftOf, forgetDraft, GUEST, useDraft, type DraftKey } from '@/forms/draft'
import { readFields } from '@/forms/read-fields'
import { useForm } from '@/forms/use-form'
import { failureText } from '@/i18n/message-texts'
import { namesPaymentCard } from '@/lib/payment-card'
import { err, ok } from '@/lib/result'
import { countCharacters } from '@/lib/text'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Notice } from '@/ui/notice'
import { TextArea } from '@/ui/text-area'
import { showToast } from '@/ui/toast'

/** The server's limit, in characters. */
const COMPLAINT_CHARS_MAX = 2000

interface ComplaintDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly itemId: string
  readonly name: string
}

/** Sends a complaint about an item to the support. */
export function ComplaintDialog({ open, ...complaint }: ComplaintDialogProps) {
  return open ? <OpenComplaint {...complaint} /> : null
}

interface ComplaintValues {
  readonly text: string
}

function parseText(text: string) {
  if (text.trim() === '') return err('complaint_text_required')
  return namesPaymentCard(text) ? err('card_number_not_accepted') : ok(text.trim())
}

function readComplaint({ text }: ComplaintValues) {
  return readFields({ text: parseText(text) })
}

function OpenComplaint({ onClose, itemId, name }: Omit<ComplaintDialogProps, 'open'>) {
  const { t, i18n } = useLingui()
  const notaryId = useQueryClient().getQueryData(userQuery().queryKey)?.id ?? GUEST
  // Kept for the case that the dialog was closed by mistake.
  const draft = useMemo(
    (): DraftKey<string> => ({ name: `complaint ${itemId}`, asksBeforeLeaving: false }),
    [itemId],
  )
  const form = useForm({
    name: `complaint-${itemId}`,
    initial: () => ({ text: draftOf(draft, notaryId) ?? '' }),
    read: readComplaint,
    submit: ({ text }) => complainAboutCartItem(itemId, text),
    onSent: () => {
      forgetDraft(draft)
      onClose()
      showToast({ text: t`Повідомлення надіслано до служби підтримки` })
    },
  })
  const { text } = form.values
  useDraft(draft, notaryId, text === '' ? null : text)
  const formId = `complaint-${itemId}`

  return (
    <Dialog
      open
      onClose={onClose}
      title={<Trans>Помилка в платежі</Trans>}
      actions={
        <>
          <Button type="submit" form={formId} variant="primary" loading={form.busy}>
            <Trans>Надіслати</Trans>
          </Button>
          <Button onClick={onClose}>
            <Trans>Скасувати</Trans>
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        <p className="text-ink-soft">{name}</p>
        <TextArea
          {...form.text('text')}
          label={t`Опишіть помилку`}
          hint={t`Наприклад: неправильна назва отримувача або сума`}
          rows={5}
          limit={COMPLAINT_CHARS_MAX}
          length={countCharacters(text)}
        />
        {form.failure !== null && (
          <Notice tone="error" title={<Trans>Не надіслано</Trans>}>
            {failureText(form.failure, i18n)}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}
