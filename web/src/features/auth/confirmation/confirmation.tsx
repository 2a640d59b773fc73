import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  confirmBy,
  confirmByCode,
  confirmByPhoneCall,
  startConfirmation,
  type StartedConfirmation,
} from '@/api/confirmation'
import { Refusal, type MessageKey } from '@/api/failure'
import { loadCatalog, type Catalog } from '@/i18n/i18n'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Notice } from '@/ui/notice'
import { Spinner } from '@/ui/spinner'
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
    const undo = confirmBy(async () => {
      // A refusal needs its words, and no code is sent where the dialog cannot open.
      await Promise.all([loadCatalog(texts), loadTexts()])
      const started = stillValid(open.current) ?? (await startConfirmation())
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
    <ByCode started={shown} onResent={show} onOver={forget} onEnd={end} />
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

function ByCode({
  started,
  onResent,
  onOver,
  onEnd,
}: StepProps & { readonly onResent: (next: StartedConfirmation) => void }) {
  const { t } = useLingui()
  const { operation_id: operation, sent_to: phone } = started
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
    const next = await startConfirmation()
    onResent(next)
    return next.is_phone_call ? 'call' : 'code'
  }

  return (
    <Dialog open onClose={() => onEnd(false)} title={t`Підтвердьте дію`}>
      <div ref={content} className="flex flex-col gap-5">
        <p>
          <Trans>
            Ця дія стосується коштів або входу до кабінету, тому ми надіслали код на номер{' '}
            <span className="font-medium whitespace-nowrap">{phone}</span>. Усе введене залишиться.
          </Trans>
        </p>
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
