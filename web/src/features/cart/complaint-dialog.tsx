import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'

import { complainAboutCartItem } from '@/api/cart'
import { failureText, messageText } from '@/i18n/message-texts'
import { namesPaymentCard } from '@/lib/payment-card'
import { countCharacters } from '@/lib/text'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Notice } from '@/ui/notice'
import { TextArea } from '@/ui/text-area'
import { showToast } from '@/ui/toast'

/** The server takes no longer text. */
const COMPLAINT_CHARS_MAX = 2000

interface ComplaintDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly itemId: string
  readonly name: string
}

/** What keeps the text from being sent. */
function faultOf(text: string) {
  if (text.trim() === '') return 'complaint_text_required'
  return namesPaymentCard(text) ? 'card_number_not_accepted' : null
}

/** What is wrong with the item, in the notary's words; goes to the support. */
export function ComplaintDialog({ open, onClose, itemId, name }: ComplaintDialogProps) {
  const { t, i18n } = useLingui()
  // Kept while the page stands: a dialog closed by mistake opens with the same text.
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<'complaint_text_required' | 'card_number_not_accepted' | null>(null)
  const formId = `complaint-${itemId}`
  const send = useMutation({
    mutationFn: () => complainAboutCartItem(itemId, text.trim()),
    onSuccess: () => {
      setText('')
      onClose()
      showToast({ text: t`Повідомлення надіслано до служби підтримки` })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const fault = faultOf(text)
    setWrong(fault)
    if (fault === null && !send.isPending) send.mutate()
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={<Trans>Помилка в платежі</Trans>}
      actions={
        <>
          <Button type="submit" form={formId} variant="primary" loading={send.isPending}>
            <Trans>Надіслати</Trans>
          </Button>
          <Button onClick={onClose}>
            <Trans>Скасувати</Trans>
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-ink-soft">{name}</p>
        <TextArea
          label={t`Опишіть помилку`}
          hint={t`Наприклад: неправильна назва отримувача або сума`}
          rows={5}
          limit={COMPLAINT_CHARS_MAX}
          length={countCharacters(text)}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setWrong(null)
          }}
          error={wrong !== null && messageText(wrong, i18n)}
        />
        {send.error !== null && (
          <Notice tone="error" title={<Trans>Не надіслано</Trans>}>
            {failureText(send.error, i18n)}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}
