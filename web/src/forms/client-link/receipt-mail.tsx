import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'

import type { ClientLink, useClientLink } from '@/api/client-link'
import { Refusal, type MessageKey } from '@/api/failure'
import { messageText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { TextField } from '@/ui/text-field'
import { useFocusAfter } from '@/ui/use-focus-after'

import { Failed } from './failed'

interface ReceiptMailProps {
  readonly link: ClientLink
  readonly calls: Pick<ReturnType<typeof useClientLink>, 'mailReceipt' | 'stopReceipt'>
}

/** Where the client's receipt is sent, with the client's consent. */
export function ReceiptMail({ link, calls: { mailReceipt, stopReceipt } }: ReceiptMailProps) {
  const { t, i18n } = useLingui()
  const [email, setEmail] = useState('')
  const kept = link.receipt_mail
  const { error } = mailReceipt
  const key = error instanceof Refusal ? error.errors['email']?.[0] : undefined
  const address = kept?.email
  const group = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  // Not to the next button, which a second press would use.
  useFocusAfter(!mailReceipt.isIdle && Boolean(kept), group)
  useFocusAfter(!stopReceipt.isIdle && !kept, field)
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
            )}
          </p>
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
        unknown={<Trans>Невідомо, чи збережено адресу</Trans>}
      />
      <Failed
        error={stopReceipt.error}
        unknown={<Trans>Невідомо, чи скасовано надсилання квитанції</Trans>}
      />
    </div>
  )
}
