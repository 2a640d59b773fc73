import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import {
  confirmBy,
  confirmByCode,
  confirmByPhoneCall,
  proveByPasskey,
  startConfirmation,
  startPasskeyProof,
  type PaymentToProve,
  type StartedConfirmation,
  type StartedPasskeyProof,
  type WhatToProve,
} from '@/api/confirmation'
import { Refusal, type MessageKey } from '@/api/failure'
import { loadCatalog, type Catalog } from '@/i18n/i18n'
import { fromHryvnias } from '@/lib/money'
import { hasPasskeys, PasskeyFailure } from '@/lib/passkeys'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Notice } from '@/ui/notice'
import { Spinner } from '@/ui/spinner'
import { Sum } from '@/ui/sum'
import { awaitCall } from '../await-call'
import { CodeForm } from '../code-form'
import { QuietLine } from '../auth-sheet'
import { refusalText } from '../refusal-text'

const texts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

interface ConfirmationProps {
  /** Loads the texts of the form of a code and of the messages about codes, which no page of the cabinet needs before. */
  readonly loadTexts: () => Promise<unknown>
}

/** What is shown: the choice between a passkey and a code, or a code or call that was sent. */
type Shown =
  | { readonly by: 'passkey'; readonly started: StartedPasskeyProof }
  | { readonly by: 'code'; readonly started: StartedConfirmation }

/** The last code or call. */
interface LastCode {
  /** What it was asked for. */
  wanted: WhatToProve
  /** It, where it may still confirm. While it is valid, the server starts no other one at once. */
  open: StartedConfirmation | null
}

/**
 * Asks for a fresh code, or for a passkey, where the server wants one for a request. The page keeps everything that was typed; once the
 * session is confirmed, its request is sent again.
 */
export function Confirmation({ loadTexts }: ConfirmationProps) {
  const [shown, setShown] = useState<Shown | null>(null)
  const last = useRef<LastCode>({ wanted: null, open: null })
  const answer = useRef<(confirmed: boolean) => void>(() => undefined)

  function show(started: StartedConfirmation) {
    last.current.open = started
    setShown({ by: 'code', started })
  }

  function forget() {
    last.current.open = null
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
      const next: Shown = isForPasskey(asked)
        ? { by: 'passkey', started: await startPasskeyProof(asked) }
        : { by: 'code', started: await codeFor(asked, last) }
      if (isGone) return false
      setShown(next)
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
  if (shown.by === 'passkey') {
    const { proof } = shown.started
    return (
      <ByPasskey
        started={shown.started}
        askAgain={async () => setShown({ by: 'passkey', started: await startPasskeyProof(proof) })}
        takeCode={async () => setShown({ by: 'code', started: await codeFor(proof, last) })}
        onEnd={end}
      />
    )
  }
  return shown.started.is_phone_call ? (
    <ByPhoneCall started={shown.started} onOver={forget} onEnd={end} />
  ) : (
    <ByCode
      started={shown.started}
      sendAgain={() => startConfirmation(last.current.wanted)}
      onResent={show}
      onOver={forget}
      onEnd={end}
    />
  )
}

/** Returns the last code if it was for this and may still confirm. Has another one sent otherwise. */
async function codeFor(asked: WhatToProve, last: RefObject<LastCode>): Promise<StartedConfirmation> {
  const { wanted, open } = last.current
  const isSame = JSON.stringify(wanted) === JSON.stringify(asked)
  const started = (isSame ? stillValid(open) : null) ?? (await startConfirmation(asked))
  last.current = { wanted: asked, open: started }
  return started
}

/** Whether a passkey of the notary's proves it, and the browser has passkeys. */
const isForPasskey = (asked: WhatToProve): asked is PaymentToProve =>
  asked !== null && 'kinds' in asked && asked.kinds.includes('passkey') && hasPasskeys()

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

function titleOfPayment({ part, card_figures: figures }: PaymentToProve) {
  if (figures) return msg`Підтвердьте нові суми`
  return part ? msg`Підтвердьте переказ` : msg`Підтвердьте оплату карткою`
}

function ByCode({ started, sendAgain, onResent, onOver, onEnd }: ByCodeProps) {
  const { t, i18n } = useLingui()
  const { operation_id: operation } = started
  const titleOf = ({ proof, passkey }: StartedConfirmation) => {
    if (passkey)
      return passkey.act === 'add' ? t`Підтвердьте додавання ключа` : t`Підтвердьте видалення ключа`
    return proof ? i18n._(titleOfPayment(proof)) : t`Підтвердьте дію`
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
  if (!proof.largest) {
    return (
      <>
        <Payment proof={proof} />
        <p>
          <Trans>Код надіслано на номер {phone}. Звірте суму в повідомленні.</Trans>
        </p>
      </>
    )
  }
  return (
    <>
      <Payment proof={proof} />
      <p>
        {proof.part ? (
          <Trans>Код надіслано на номер {phone}. Звірте суму й рахунок у повідомленні.</Trans>
        ) : (
          <Trans>
            Код надіслано на номер {phone}. Звірте суму й рахунок у повідомленні. Наступного разу коду для цих
            отримувачів не потрібно.
          </Trans>
        )}
      </p>
    </>
  )
}

/** Says what is paid, and to whom most of it goes. */
function Payment({ proof }: { readonly proof: PaymentToProve }) {
  const sum = <Sum value={fromHryvnias(proof.sum)} className="font-medium" />
  const { card_figures: figures, beyond_daily: beyond } = proof
  if (figures) {
    const daily = <Sum value={fromHryvnias(figures.daily_unproved_max)} className="font-medium" />
    const told = <Sum value={fromHryvnias(figures.told_from)} className="font-medium" />
    return (
      <p>
        <Trans>
          Без підтвердження збережені картки платитимуть до {daily} за добу, а повідомлятимемо про оплату від{' '}
          {told}.
        </Trans>
      </p>
    )
  }
  if (!proof.largest) {
    const daily = beyond !== null && <Sum value={fromHryvnias(beyond)} />
    return (
      <p>
        {daily ? (
          <Trans>
            До сплати {sum} збереженою карткою. З цією оплатою за добу буде більше ніж {daily}, тому потрібне
            підтвердження.
          </Trans>
        ) : (
          <Trans>До сплати {sum} збереженою карткою.</Trans>
        )}
      </p>
    )
  }
  const account = <span className="whitespace-nowrap">…{proof.largest.account_end}</span>
  const largest = <Sum value={fromHryvnias(proof.largest.sum)} className="font-medium" />
  const count = proof.new_recipients
  if (proof.part) {
    return (
      <p>
        <Trans>
          Повернуті кошти, {sum}, буде переказано на новий рахунок {account}.
        </Trans>
      </p>
    )
  }
  return (
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
  )
}

interface ByPasskeyProps {
  readonly started: StartedPasskeyProof
  /** Asks what is to be signed once more: what was signed is used up. */
  readonly askAgain: () => Promise<void>
  readonly takeCode: () => Promise<void>
  readonly onEnd: (confirmed: boolean) => void
}

function ByPasskey({ started, askAgain, takeCode, onEnd }: ByPasskeyProps) {
  const { t, i18n } = useLingui()
  const { proof } = started
  const hasCode = proof.kinds.includes('code')
  const [busy, setBusy] = useState<'passkey' | 'code' | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const first = useRef<HTMLButtonElement>(null)
  // The dialog has just moved the focus to its first button.
  useEffect(() => first.current?.focus(), [])

  function textOf(failure: unknown): string {
    if (failure instanceof PasskeyFailure) {
      return failure.trouble === 'cancelled'
        ? t`Ключем доступу не підтверджено. Спробуйте ще раз.`
        : t`Браузер не зміг використати ключ доступу.`
    }
    const isRefused = failure instanceof Refusal && failure.key === 'passkey_refused'
    return isRefused ? t`Ключ доступу не підійшов. Спробуйте ще раз.` : refusalText(failure)
  }

  async function attempt(by: 'passkey' | 'code', act: () => Promise<unknown>) {
    setBusy(by)
    setTrouble(null)
    try {
      await act()
    } catch (failure) {
      setTrouble(textOf(failure))
      setBusy(null)
    }
  }

  const prove = () =>
    attempt('passkey', async () => {
      try {
        await proveByPasskey(started)
      } catch (failure) {
        if (!(failure instanceof PasskeyFailure)) await askAgain()
        throw failure
      }
      onEnd(true)
    })

  return (
    <Dialog open onClose={() => onEnd(false)} title={i18n._(titleOfPayment(proof))}>
      <div className="flex flex-col gap-5">
        <Payment proof={proof} />
        {proof.largest && (
          <p>
            {proof.part ? (
              <Trans>Звірте суму й рахунок.</Trans>
            ) : (
              <Trans>
                Звірте суму й рахунок. Наступного разу ці отримувачі підтвердження не потребуватимуть.
              </Trans>
            )}
          </p>
        )}
        {!hasCode && <OnNewDevice isPaid={proof.part === null && proof.card_figures === null} />}
        <div className="flex flex-col gap-3">
          <div role="alert" className="empty:hidden">
            <QuietLine>{trouble}</QuietLine>
          </div>
          <Button
            ref={first}
            variant="primary"
            wide
            loading={busy === 'passkey'}
            onClick={() => void prove()}
          >
            <Trans>Підтвердити ключем доступу</Trans>
          </Button>
          {hasCode && (
            <Button wide loading={busy === 'code'} onClick={() => void attempt('code', takeCode)}>
              <Trans>Отримати код із SMS</Trans>
            </Button>
          )}
          <Button wide onClick={() => onEnd(false)}>
            <Trans>Скасувати</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Says why there is no code, and what else there is. */
function OnNewDevice({ isPaid }: { readonly isPaid: boolean }) {
  return (
    <p className="text-sm text-ink-soft">
      {isPaid ? (
        <Trans>
          Цей пристрій новий, тому код із SMS на ньому ще не діє. Без ключа доступу оплатіть на сторінці
          банку.
        </Trans>
      ) : (
        <Trans>
          Цей пристрій новий, тому код із SMS на ньому ще не діє. Без ключа доступу скористайтеся пристроєм, з
          якого вже входили раніше.
        </Trans>
      )}
    </p>
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
