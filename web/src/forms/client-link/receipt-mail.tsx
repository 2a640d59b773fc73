import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'

import type { ClientLink, useClientLink } from '@/api/client-link'
import { Refusal, type MessageKey } from '@/api/failure'
import { messageText } from '@/i18n/message-texts'
import { longMoment } from '@/lib/dates'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { TextField } from '@/ui/text-field'
import { useFocusAfter } from '@/ui/use-focus-after'

import { Failed } from './failed'

type ReceiptMail = NonNullable<ClientLink['receipt_mail']>

/** A letter that waits leaves within seconds, and nobody tells the page of it. */
const LEAVES_WITHIN_MS = 3_000

interface ReceiptMailProps {
  readonly link: ClientLink
  readonly calls: Pick<ReturnType<typeof useClientLink>, 'mailReceipt' | 'stopReceipt' | 'readAnew'>
}

/** Where the client's receipt is sent, with the client's consent. */
export function ReceiptMail({ link, calls: { mailReceipt, stopReceipt, readAnew } }: ReceiptMailProps) {
  const { t, i18n } = useLingui()
  const [email, setEmail] = useState('')
  const kept = link.receipt_mail
  const { error } = mailReceipt
  const isTyped = mailReceipt.variables !== null
  const key = isTyped && error instanceof Refusal ? error.errors['email']?.[0] : undefined
  const address = kept?.email
  const isWaiting = kept?.state === 'waiting'
  const mayAgain = kept && !isWaiting && kept.state !== 'agreed'
  const group = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  // Not to the next button, which a second press would use.
  const isSettled = !mailReceipt.isIdle && !mailReceipt.isPending
  useFocusAfter(isSettled && Boolean(kept), group)
  useFocusAfter(isSettled && isWaiting, group)
  useFocusAfter((isSettled || !stopReceipt.isIdle) && !kept, field)
  useEffect(() => {
    if (!isWaiting) return undefined
    const asking = setTimeout(() => void readAnew(), LEAVES_WITHIN_MS)
    return () => clearTimeout(asking)
  })
  return (
    <div
      ref={group}
      tabIndex={-1}
      role="group"
      aria-label={t`Квитанція клієнту електронною поштою`}
      className="flex flex-col gap-3"
    >
      {kept ? (
        <div className="flex flex-wrap items-center gap-3">
          <p>
            {kept.by_client ? (
              <Trans>Квитанцію надсилаємо на {address}: адресу вказав клієнт.</Trans>
            ) : (
              <Trans>Квитанцію надсилаємо на {address}: адресу вказали ви.</Trans>
            )}{' '}
            <LetterState mail={kept} />
          </p>
          {mayAgain && (
            <Button
              size="small"
              loading={mailReceipt.isPending}
              onClick={() =>
                mailReceipt.mutate(null, {
                  onSuccess: () => announce(t`Лист буде надіслано ще раз`),
                  // The client may have refused letters meanwhile.
                  onError: () => void readAnew(),
                })
              }
            >
              <Trans>Надіслати ще раз</Trans>
            </Button>
          )}
          <Button
            size="small"
            loading={stopReceipt.isPending}
            onClick={() =>
              stopReceipt.mutate(undefined, { onSuccess: () => announce(t`Квитанцію не надсилатимемо`) })
            }
          >
            <Trans>Не надсилати</Trans>
          </Button>
        </div>
      ) : (
        <>
          {link.receipt_mail_refused && (
            <p>
              {link.receipt_mail_refused.is_of_address ? (
                <Trans>
                  Отримувач листа відмовився від листів на свою адресу. За згодою клієнта можна вказати іншу.
                </Trans>
              ) : (
                <Trans>
                  Клієнт відмовився від листів про це замовлення. Погодитися знову він може за посиланням.
                </Trans>
              )}
            </p>
          )}
          <div className="flex flex-wrap items-start gap-3">
            <TextField
              ref={field}
              label={t`Електронна пошта клієнта для квитанції`}
              type="email"
              autoComplete="off"
              value={email}
              onValueChange={setEmail}
              error={key && messageText(key as MessageKey, i18n)}
              className="min-w-0 grow basis-52"
            />
            <Button
              className="beside-field"
              loading={mailReceipt.isPending}
              onClick={() =>
                mailReceipt.mutate(email, {
                  onSuccess: () => {
                    setEmail('')
                    announce(t`Адресу збережено`)
                  },
                })
              }
            >
              <Trans>Надсилати квитанцію</Trans>
            </Button>
          </div>
          <p className="text-sm text-ink-soft">
            <Trans>
              Лише за згодою клієнта. Після оплати надійде лист із посиланням: сторінка попросить останні
              чотири цифри коду клієнта або номера його документа і видасть квитанцію. Ще один лист надійде,
              коли кошти зарахують або повернуть. Відмовитися від листів клієнт може на тій самій сторінці.
            </Trans>
          </p>
        </>
      )}
      <Failed
        error={key === undefined ? error : null}
        unknown={
          isTyped ? (
            <Trans>Невідомо, чи збережено адресу</Trans>
          ) : (
            <Trans>Невідомо, чи надіслано лист ще раз</Trans>
          )
        }
      />
      <Failed
        error={stopReceipt.error}
        unknown={<Trans>Невідомо, чи скасовано надсилання квитанції</Trans>}
      />
    </div>
  )
}

/** What has become of the letter with the receipt. */
function LetterState({ mail }: { readonly mail: ReceiptMail }) {
  const locale = useLocale()
  const opened = mail.opened_at && longMoment(mail.opened_at, locale)
  switch (mail.state) {
    case 'agreed':
      return null
    case 'waiting':
      return <Trans>Надсилаємо лист.</Trans>
    case 'not_sent':
      return <Trans>Лист не вдалося надіслати: уточніть адресу в клієнта.</Trans>
    case 'sent':
      return <Trans>Лист надіслано, квитанцію ще не відкрито.</Trans>
    case 'unknown':
      return <Trans>Чи надіслано лист, невідомо.</Trans>
    case 'opened':
      return <Trans>Квитанцію відкрито {opened}.</Trans>
    case 'used_up':
      return <Trans>Посилання в листі закрито: забагато разів введено неправильні цифри.</Trans>
    case 'ended':
      return <Trans>Строк дії посилання в листі минув.</Trans>
  }
}
