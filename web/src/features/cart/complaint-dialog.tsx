import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'

import { cartQuery } from '@/api/cart'
import { complainAboutCartItem } from '@/api/complaints'
import { Refusal } from '@/api/failure'
import { userQuery } from '@/api/user'
import { draftOf, forgetDraft, GUEST, useDraft, type DraftKey } from '@/forms/draft'
import { readFields } from '@/forms/read-fields'
import { useForm } from '@/forms/use-form'
import { failureText } from '@/i18n/message-texts'
import { namesPaymentCard } from '@/lib/payment-card'
import { err, ok } from '@/lib/result'
import { countCharacters } from '@/lib/text'
import { Button } from '@/ui/button'
import { Checkbox } from '@/ui/checkbox'
import { Dialog } from '@/ui/dialog'
import { Notice } from '@/ui/notice'
import { TextArea } from '@/ui/text-area'
import { showToast } from '@/ui/toast'

/** The server's limit, in characters. */
const COMPLAINT_CHARS_MAX = 2000

interface ComplaintDialogProps {
  readonly onClose: () => void
  readonly itemId: string
  readonly name: string
}

interface ComplaintValues {
  readonly text: string
  /** The support may call back. */
  readonly callBack: boolean
}

/** Reads a kept complaint; an earlier version of the page kept its text alone. */
function readKept(stored: unknown): ComplaintValues | null {
  if (typeof stored === 'string') return { text: stored, callBack: false }
  if (typeof stored !== 'object' || stored === null) return null
  const { text, callBack } = stored as Partial<Record<keyof ComplaintValues, unknown>>
  return typeof text === 'string' && typeof callBack === 'boolean' ? { text, callBack } : null
}

function parseText(text: string) {
  if (text.trim() === '') return err('complaint_text_required')
  return namesPaymentCard(text) ? err('card_number_not_accepted') : ok(text.trim())
}

function readComplaint({ text, callBack }: ComplaintValues) {
  return readFields({ text: parseText(text), callBack: ok(callBack) })
}

/** Sends a complaint about an item to the support. */
export function ComplaintDialog({ onClose, itemId, name }: ComplaintDialogProps) {
  const { t, i18n } = useLingui()
  const queryClient = useQueryClient()
  const notaryId = queryClient.getQueryData(userQuery().queryKey)?.id ?? GUEST
  // Kept for the case that the dialog was closed by mistake, or the page loaded anew.
  const draft = useMemo(
    (): DraftKey<ComplaintValues> => ({
      name: `draft complaint ${itemId}`,
      read: readKept,
      asksBeforeLeaving: false,
    }),
    [itemId],
  )
  const form = useForm({
    name: `complaint-${itemId}`,
    initial: () => draftOf(draft, notaryId) ?? { text: '', callBack: false },
    read: readComplaint,
    submit: ({ text, callBack }) => complainAboutCartItem(itemId, text, callBack),
    onSent: (number) => {
      forgetDraft(draft)
      onClose()
      // The row is marked with the number.
      void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
      showToast({
        text: (
          <>
            <span>{t`Повідомлення надіслано до служби підтримки`}</span>.{' '}
            <span>{t`Його номер: ${number}`}</span>
          </>
        ),
        lasts: 8000,
      })
    },
  })
  const { values } = form
  const { text } = values
  const isUnknown = form.failure !== null && !(form.failure instanceof Refusal)
  const close = () => {
    // The cart says what became of it.
    if (isUnknown) void queryClient.invalidateQueries({ queryKey: cartQuery().queryKey })
    onClose()
  }
  useDraft(draft, notaryId, text === '' && !values.callBack ? null : values)
  // The dialog would focus the button that closes it.
  // oxlint-disable-next-line react/exhaustive-deps -- once, when it opens
  useEffect(() => form.focus('text'), [])
  const formId = `complaint-${itemId}`

  return (
    <Dialog
      open
      onClose={close}
      closable={!form.busy}
      title={<Trans>Помилка в платежі</Trans>}
      actions={
        <>
          <Button type="submit" form={formId} variant="primary" loading={form.busy}>
            <Trans>Надіслати</Trans>
          </Button>
          {!form.busy && (
            <Button onClick={close}>
              <Trans>Скасувати</Trans>
            </Button>
          )}
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.submit} className="flex flex-col gap-4">
        <p className="text-ink-soft">{name}</p>
        {/* What is added now would not be in what is sent. */}
        <fieldset role="presentation" disabled={form.busy} className="contents">
          <TextArea
            {...form.text('text')}
            label={t`Опишіть помилку`}
            hint={t`Наприклад: неправильна назва отримувача або сума`}
            rows={5}
            limit={COMPLAINT_CHARS_MAX}
            length={countCharacters(text)}
          />
          <Checkbox
            label={<Trans>Зателефонуйте мені: передати службі підтримки мій номер телефону</Trans>}
            {...form.flag('callBack')}
          />
        </fieldset>
        {form.failure !== null &&
          (isUnknown ? (
            <Notice tone="error" title={<Trans>Невідомо, чи надіслано</Trans>}>
              {failureText(form.failure, i18n)}.{' '}
              <Trans>Надішліть ще раз: двічі те саме повідомлення не реєструється.</Trans>
            </Notice>
          ) : (
            <Notice tone="error" title={<Trans>Не надіслано</Trans>}>
              {failureText(form.failure, i18n)}
            </Notice>
          ))}
      </form>
    </Dialog>
  )
}
