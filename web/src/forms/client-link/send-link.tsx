import { Trans, useLingui } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'

import type { ClientLink, LinkReceiver, useClientLink } from '@/api/client-link'
import { Refusal, type MessageKey } from '@/api/failure'
import { messageText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { announce } from '@/ui/live-region'
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
  // At the button that was pressed, which is what is in sight of a dialog.
  const typed = { phone, email }
  const sentBy = (way: keyof typeof typed) => send.isSuccess && send.variables[way] === typed[way] && <Sent />
  const spent = link.sendings_left === 0 ? t`Посилання цього замовлення надіслано забагато разів` : null
  const sendTo = (to: LinkReceiver) =>
    send.mutate({ token, ...to }, { onSuccess: () => announce(t`Посилання надіслано`) })
  const isSentTo = (way: keyof LinkReceiver) => send.isPending && send.variables[way] !== undefined
  const field = { autoComplete: 'off', className: 'min-w-0 grow basis-52' }
  return (
    <div role="group" aria-label={t`Надіслати посилання`} className="flex flex-col gap-3">
      <Way
        loading={isSentTo('phone')}
        disabledReason={spent}
        words={<Trans>Надіслати SMS</Trans>}
        onSend={() => sendTo({ phone })}
      >
        <PhoneField
          {...field}
          label={t`Телефон клієнта`}
          value={phone}
          onValueChange={setPhone}
          error={textOf('phone')}
          hint={sentBy('phone')}
        />
      </Way>
      {link.letters && (
        <Way
          loading={isSentTo('email')}
          disabledReason={spent}
          words={<Trans>Надіслати лист</Trans>}
          onSend={() => sendTo({ email })}
        >
          <TextField
            {...field}
            label={t`Електронна пошта клієнта`}
            type="email"
            value={email}
            onValueChange={setEmail}
            error={textOf('email')}
            hint={sentBy('email')}
          />
        </Way>
      )}
      <p className="text-sm text-ink-soft">
        <Trans>Телефон і адресу використаємо лише для цього повідомлення й не збережемо.</Trans>
      </p>
      <Failed
        error={errors['phone'] || errors['email'] ? null : send.error}
        unknown={<Trans>Невідомо, чи надіслано посилання</Trans>}
        refused={<Trans>Не надіслано</Trans>}
      />
    </div>
  )
}

interface WayProps {
  readonly loading: boolean
  readonly disabledReason: string | null
  /** The words of the button. */
  readonly words: ReactNode
  readonly onSend: () => void
  /** The field of the telephone or the address. */
  readonly children: ReactNode
}

/** One way to send the link. */
function Way({ loading, disabledReason, words, onSend, children }: WayProps) {
  return (
    <div className="flex flex-wrap items-start gap-3">
      {children}
      <Button className="beside-field" loading={loading} disabledReason={disabledReason} onClick={onSend}>
        {words}
      </Button>
    </div>
  )
}

function Sent() {
  return (
    <span className="flex items-center gap-1 font-medium text-success">
      <Icon name="check" size={16} />
      <Trans>Надіслано</Trans>
    </span>
  )
}
