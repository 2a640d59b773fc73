import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type RefObject } from 'react'

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

type Calls = Pick<ReturnType<typeof useClientLink>, 'mailReceipt' | 'stopReceipt' | 'readAnew'>

interface ReceiptMailProps {
  readonly link: ClientLink
  readonly calls: Calls
}

/** Where the client's receipt is sent, with the client's consent. */
export function ReceiptMail({ link, calls }: ReceiptMailProps) {
  const { t } = useLingui()
  const [email, setEmail] = useState('')
  const { mailReceipt, stopReceipt } = calls
  const mail = link.receipt_mail
  const { error } = mailReceipt
  const isTyped = mailReceipt.variables !== null
  const key = isTyped && error instanceof Refusal ? error.errors['email']?.[0] : undefined
  const { group, field } = useFocusAfterCalls(mail, calls)
  useReadUntilSent(mail, calls)
  return (
    <div
      ref={group}
      tabIndex={-1}
      role="group"
      aria-label={t`Квитанція клієнту електронною поштою`}
      className="flex flex-col gap-3"
    >
      {mail ? (
        <KeptAddress mail={mail} calls={calls} />
      ) : (
        <>
          <RefusedLetters refused={link.receipt_mail_refused} />
          <NewAddress {...{ field, email, setEmail, mailReceipt }} wrong={key} />
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

/** Where the focus goes from a pressed button that disappears. Not to the next button, which a second press would use. */
function useFocusAfterCalls(mail: ReceiptMail | null, { mailReceipt, stopReceipt }: Calls) {
  const group = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const isSettled = !mailReceipt.isIdle && !mailReceipt.isPending
  useFocusAfter(isSettled && mail !== null, group)
  useFocusAfter(isSettled && mail?.state === 'waiting', group)
  useFocusAfter((isSettled || !stopReceipt.isIdle) && mail === null, field)
  return { group, field }
}

/** Asks for the letter that waits until it has left. */
function useReadUntilSent(mail: ReceiptMail | null, { readAnew }: Calls) {
  const isWaiting = mail?.state === 'waiting'
  useEffect(() => {
    if (!isWaiting) return undefined
    const asking = setTimeout(() => void readAnew(), LEAVES_WITHIN_MS)
    return () => clearTimeout(asking)
  })
}

/** The address that the receipt goes to, and the two things that can be done about it. */
function KeptAddress({ mail, calls }: { readonly mail: ReceiptMail; readonly calls: Calls }) {
  const { t } = useLingui()
  const { mailReceipt, stopReceipt, readAnew } = calls
  const address = mail.email
  const sendAgain = () =>
    mailReceipt.mutate(null, {
      onSuccess: () => announce(t`Лист буде надіслано ще раз`),
      // The client may have refused letters meanwhile.
      onError: () => void readAnew(),
    })
  const stop = () =>
    stopReceipt.mutate(undefined, { onSuccess: () => announce(t`Квитанцію не надсилатимемо`) })
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p>
        {mail.by_client ? (
          <Trans>Квитанцію надсилаємо на {address}: адресу вказав клієнт.</Trans>
        ) : (
          <Trans>Квитанцію надсилаємо на {address}: адресу вказали ви.</Trans>
        )}{' '}
        <LetterState mail={mail} />
      </p>
      {mail.state !== 'waiting' && mail.state !== 'agreed' && (
        <Button size="small" loading={mailReceipt.isPending} onClick={sendAgain}>
          <Trans>Надіслати ще раз</Trans>
        </Button>
      )}
      <Button size="small" loading={stopReceipt.isPending} onClick={stop}>
        <Trans>Не надсилати</Trans>
      </Button>
    </div>
  )
}

/** Says that the receiver of an earlier letter wants no more of them. */
function RefusedLetters({ refused }: { readonly refused: ClientLink['receipt_mail_refused'] }) {
  if (!refused) return null
  return (
    <p>
      {refused.is_of_address ? (
        <Trans>
          Отримувач листа відмовився від листів на свою адресу. За згодою клієнта можна вказати іншу.
        </Trans>
      ) : (
        <Trans>
          Клієнт відмовився від листів про це замовлення. Погодитися знову він може за посиланням.
        </Trans>
      )}
    </p>
  )
}

interface NewAddressProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly email: string
  readonly setEmail: (email: string) => void
  /** What is wrong with the address that was sent last. */
  readonly wrong: string | undefined
  readonly mailReceipt: Calls['mailReceipt']
}

/** The field of the address, and what is sent there. */
function NewAddress({ field, email, setEmail, wrong, mailReceipt }: NewAddressProps) {
  const { t, i18n } = useLingui()
  const save = () =>
    mailReceipt.mutate(email, {
      onSuccess: () => {
        setEmail('')
        announce(t`Адресу збережено`)
      },
    })
  return (
    <>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          ref={field}
          label={t`Електронна пошта клієнта для квитанції`}
          type="email"
          autoComplete="off"
          value={email}
          onValueChange={setEmail}
          error={wrong && messageText(wrong as MessageKey, i18n)}
          className="min-w-0 grow basis-52"
        />
        <Button className="beside-field" loading={mailReceipt.isPending} onClick={save}>
          <Trans>Надсилати квитанцію</Trans>
        </Button>
      </div>
      <p className="text-sm text-ink-soft">
        <Trans>
          Лише за згодою клієнта. Після оплати надійде лист із посиланням: сторінка попросить останні чотири
          цифри коду клієнта або номера його документа і видасть квитанцію. Ще один лист надійде, коли кошти
          зарахують або повернуть. Відмовитися від листів клієнт може на тій самій сторінці.
        </Trans>
      </p>
    </>
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
