import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'

import type { ClientLink, useClientLink } from '@/api/client-link'
import { Refusal, type MessageKey } from '@/api/failure'
import { messageText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { PhoneField } from '@/ui/phone-field'
import { TextField } from '@/ui/text-field'

import { Failed } from './failed'

interface SendLinkProps {
  readonly link: ClientLink
  readonly token: string
  readonly send: ReturnType<typeof useClientLink>['send']
}

/** Sends the link by SMS or e-mail. Neither the telephone nor the address is kept. */
export function SendLink({ link, token, send }: SendLinkProps) {
  const { t, i18n } = useLingui()
  const [phone, setPhone] = useState('')
  const [email, setEmail] = useState('')
  const errors = send.error instanceof Refusal ? send.error.errors : {}
  const textOf = (field: string) => {
    const key = errors[field]?.[0]
    return key && messageText(key as MessageKey, i18n)
  }
  const spent = link.sendings_left === 0 ? t`Посилання цього замовлення надіслано забагато разів` : null
  const announceSent = () => announce(t`Посилання надіслано`)
  const isPlaced = errors['phone'] || errors['email']
  return (
    <div role="group" aria-label={t`Надіслати посилання`} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <PhoneField
          label={t`Телефон клієнта`}
          autoComplete="off"
          value={phone}
          onValueChange={setPhone}
          error={textOf('phone')}
          className="min-w-0 grow basis-52"
        />
        <Button
          className="beside-field"
          loading={send.isPending && send.variables.phone !== undefined}
          disabledReason={spent}
          onClick={() => send.mutate({ token, phone }, { onSuccess: announceSent })}
        >
          <Trans>Надіслати SMS</Trans>
        </Button>
      </div>
      {link.letters && (
        <div className="flex flex-wrap items-start gap-3">
          <TextField
            label={t`Електронна пошта клієнта`}
            type="email"
            autoComplete="off"
            value={email}
            onValueChange={setEmail}
            error={textOf('email')}
            className="min-w-0 grow basis-52"
          />
          <Button
            className="beside-field"
            loading={send.isPending && send.variables.email !== undefined}
            disabledReason={spent}
            onClick={() => send.mutate({ token, email }, { onSuccess: announceSent })}
          >
            <Trans>Надіслати лист</Trans>
          </Button>
        </div>
      )}
      <p className="text-sm text-ink-soft">
        <Trans>Телефон і адресу використаємо лише для цього повідомлення й не збережемо.</Trans>
      </p>
      <Failed
        error={isPlaced ? null : send.error}
        unknown={<Trans>Невідомо, чи надіслано посилання</Trans>}
        refused={<Trans>Не надіслано</Trans>}
      />
      {send.isSuccess && <Notice tone="success" title={<Trans>Надіслано</Trans>} />}
    </div>
  )
}
