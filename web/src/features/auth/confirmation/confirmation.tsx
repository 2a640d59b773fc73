import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  confirmBy,
  confirmByCode,
  confirmByPhoneCall,
  startConfirmation,
  type WhatToProve,
  type StartedConfirmation,
} from '@/api/confirmation'
import { Refusal, type MessageKey } from '@/api/failure'
import { loadCatalog, type Catalog } from '@/i18n/i18n'
import { fromHryvnias } from '@/lib/money'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Notice } from '@/ui/notice'
import { Spinner } from '@/ui/spinner'
import { Sum } from '@/ui/sum'
import { awaitCall } from '../await-call'
import { CodeForm } from '../code-form'

const texts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

interface ConfirmationProps {
  /** Loads the texts of the form of a code and of the messages about codes, which no page of the cabinet needs before. */
  readonly loadTexts: () => Promise<unknown>
}

/**
 * Asks for a fresh code where the server wants one for a request. The page keeps everything that was typed; once the session is
 * confirmed, its request is sent again.
 */
export function Confirmation({ loadTexts }: ConfirmationProps) {
  const [shown, setShown] = useState<StartedConfirmation | null>(null)
  /** What the code is asked for. */
  const wanted = useRef<WhatToProve>(null)
  /** The last code or call that may still confirm. While it is valid, the server starts no other one at once. */
  const open = useRef<StartedConfirmation | null>(null)
  const answer = useRef<(confirmed: boolean) => void>(() => undefined)

  function show(started: StartedConfirmation) {
    open.current = started
    setShown(started)
  }

  function forget() {
    open.current = null
  }

  function end(confirmed: boolean) {
    if (confirmed) forget()
    setShown(null)
    answer.current(confirmed)
  }

  useEffect(() => {
    let isGone = false
    const undo = confirmBy(async (asked) => {
      // A refusal needs its words, and no code is sent where the dialog cannot open.
      await Promise.all([loadCatalog(texts), loadTexts()])
      const isSame = JSON.stringify(wanted.current) === JSON.stringify(asked)
      const started = (isSame ? stillValid(open.current) : null) ?? (await startConfirmation(asked))
      wanted.current = asked
      if (isGone) return false
      open.current = started
      setShown(started)
      return new Promise((resolve) => {
        answer.current = resolve
      })
    })
    return () => {
      isGone = true
      undo()
      answer.current(false)
    }
  }, [loadTexts])

  if (shown === null) return null
  return shown.is_phone_call ? (
    <ByPhoneCall started={shown} onOver={forget} onEnd={end} />
  ) : (
    <ByCode
      started={shown}
      sendAgain={() => startConfirmation(wanted.current)}
      onResent={show}
      onOver={forget}
      onEnd={end}
    />
  )
}

function stillValid(started: StartedConfirmation | null): StartedConfirmation | null {
  return started !== null && Date.parse(started.expires_at) > Date.now() ? started : null
}

interface StepProps {
  readonly started: StartedConfirmation
  /** It cannot confirm any more. The next request that needs a code starts another one. */
  readonly onOver: () => void
  readonly onEnd: (confirmed: boolean) => void
}

/** The refusals after which no code is right any more. */
const isOver = new Set<MessageKey>(['otp_expired', 'otp_tries_exhausted', 'operation_unknown'])

interface ByCodeProps extends StepProps {
  readonly sendAgain: () => Promise<StartedConfirmation>
  readonly onResent: (next: StartedConfirmation) => void
}

function ByCode({ started, sendAgain, onResent, onOver, onEnd }: ByCodeProps) {
  const { t } = useLingui()
  const { operation_id: operation } = started
  const titleOf = ({ proof, passkey }: StartedConfirmation) => {
    if (passkey)
      return passkey.act === 'add' ? t`Підтвердьте додавання ключа` : t`Підтвердьте видалення ключа`
    if (!proof) return t`Підтвердьте дію`
    return proof.part ? t`Підтвердьте переказ` : t`Підтвердьте оплату карткою`
  }
  const content = useRef<HTMLDivElement>(null)
  // The dialog has just moved the focus to its first button.
  useEffect(() => content.current?.querySelector('input')?.focus(), [])

  async function verify(code: string) {
    try {
      await confirmByCode({ otp_code: code, operation_id: operation })
    } catch (failure) {
      if (failure instanceof Refusal && isOver.has(failure.key)) onOver()
      throw failure
    }
    onEnd(true)
  }

  async function resend() {
    const next = await sendAgain()
    onResent(next)
    return next.is_phone_call ? 'call' : 'code'
  }

  return (
    <Dialog open onClose={() => onEnd(false)} title={titleOf(started)}>
      <div ref={content} className="flex flex-col gap-5">
        <Explanation started={started} />
        <CodeForm
          length={started.otp_length}
          verify={verify}
          resend={resend}
          resendAt={started.resend_at}
          submitLabel={<Trans>Підтвердити</Trans>}
          otherAction={
            <Button wide onClick={() => onEnd(false)}>
              <Trans>Скасувати</Trans>
            </Button>
          }
        />
      </div>
    </Dialog>
  )
}

/** Says what the code is for. */
function Explanation({ started }: { readonly started: StartedConfirmation }) {
  const { proof, passkey } = started
  const phone = <span className="font-medium whitespace-nowrap">{started.sent_to}</span>
  if (passkey) {
    return (
      <p>
        {passkey.act === 'add' ? (
          <Trans>Код, щоб додати ключ доступу, надіслано на номер {phone}.</Trans>
        ) : (
          <Trans>Код, щоб видалити ключ доступу, надіслано на номер {phone}.</Trans>
        )}
      </p>
    )
  }
  if (!proof) {
    return (
      <p>
        <Trans>
          Ця дія стосується коштів або входу до кабінету, тому ми надіслали код на номер {phone}. Усе введене
          залишиться.
        </Trans>
      </p>
    )
  }
  const sum = <Sum value={fromHryvnias(proof.sum)} className="font-medium" />
  if (!proof.largest) {
    return (
      <p>
        <Trans>
          Код для оплати {sum} збереженою карткою надіслано на номер {phone}.
        </Trans>
      </p>
    )
  }
  const account = <span className="whitespace-nowrap">…{proof.largest.account_end}</span>
  const largest = <Sum value={fromHryvnias(proof.largest.sum)} className="font-medium" />
  const count = proof.new_recipients
  if (proof.part) {
    return (
      <>
        <p>
          <Trans>
            Повернуті кошти, {sum}, буде переказано на новий рахунок {account}.
          </Trans>
        </p>
        <p>
          <Trans>Код надіслано на номер {phone}. Звірте суму й рахунок у повідомленні.</Trans>
        </p>
      </>
    )
  }
  return (
    <>
      <p>
        {count === 1 ? (
          <Trans>
            До сплати {sum}, з них {largest} – на рахунок {account}, на який ви ще не платили збереженою
            карткою.
          </Trans>
        ) : (
          <Trans>
            До сплати {sum}. Нових отримувачів: {count}; найбільша сума, {largest}, – на рахунок {account}.
          </Trans>
        )}
      </p>
      <p>
        <Trans>
          Код надіслано на номер {phone}. Звірте суму й рахунок у повідомленні. Наступного разу коду для цих
          отримувачів не потрібно.
        </Trans>
      </p>
    </>
  )
}

type CallStatus = 'waiting' | 'away' | 'failed'

function ByPhoneCall({ started, onOver, onEnd }: StepProps) {
  const { t } = useLingui()
  const [status, setStatus] = useState<CallStatus>('waiting')
  const { transaction_id: transaction, expires_at: expiresAt, sent_to: phone } = started

  const confirmed = useEffectEvent(() => onEnd(true))
  const failed = useEffectEvent(() => {
    setStatus('failed')
    onOver()
  })
  useEffect(() => {
    if (transaction === null) return undefined
    return awaitCall(
      {
        transactionId: transaction,
        expiresAt,
        verify: (signal) => confirmByPhoneCall(transaction, signal),
      },
      {
        onConfirmed: () => confirmed(),
        // The answer that confirmed the session was lost.
        onFailed: (reason) => (reason === 'call_already_used' ? confirmed() : failed()),
        onAway: (away) => setStatus(away ? 'away' : 'waiting'),
      },
    )
  }, [transaction, expiresAt])

  const close = (
    <Button onClick={() => onEnd(false)}>
      {status === 'failed' ? <Trans>Закрити</Trans> : <Trans>Скасувати</Trans>}
    </Button>
  )
  return (
    <Dialog open onClose={() => onEnd(false)} title={t`Підтвердьте дію дзвінком`} actions={close}>
      {status === 'failed' ? (
        <Notice tone="error">
          <Trans>Дзвінок не підтверджено. Повторіть дію, щоб отримати новий дзвінок.</Trans>
        </Notice>
      ) : (
        <>
          <p>
            <Trans>
              Ця дія стосується коштів або входу до кабінету, тому зараз надійде дзвінок на номер{' '}
              <span className="font-medium whitespace-nowrap">{phone}</span>. Прийміть його й натисніть 1. Усе
              введене залишиться.
            </Trans>
          </p>
          <p role="status" className="flex items-center gap-3 text-sm text-ink-soft">
            <Spinner size={24} />
            {status === 'away'
              ? t`Немає зв’язку із сервером. Щойно він відновиться, дію буде продовжено автоматично.`
              : t`Чекаємо на ваше підтвердження…`}
          </p>
        </>
      )}
    </Dialog>
  )
}
