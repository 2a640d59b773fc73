import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type RefObject } from 'react'
import {
  confirmBy,
  confirmByCode,
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
import { Sum } from '@/ui/sum'
import { CodeForm } from '../further/code-form'
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

/** What is shown: the choice between a passkey and a code, or a code that was sent. */
type Shown =
  | { readonly by: 'passkey'; readonly started: StartedPasskeyProof }
  | { readonly by: 'code'; readonly started: StartedConfirmation }

/** The last code. */
interface LastCode {
  /** What it was asked for. */
  readonly wanted: WhatToProve
  readonly started: StartedConfirmation
}

/**
 * Asks for a code, or for a passkey, where the server wants a proof for a request. The page keeps everything that was typed; once it is
 * proved, its request is sent again.
 */
export function Confirmation({ loadTexts }: ConfirmationProps) {
  /** While it may still confirm, the server sends no other one at once. */
  const last = useRef<LastCode | null>(null)
  const { shown, show, end } = useAsked(loadTexts, last)

  async function sendAgain() {
    if (last.current === null || shown?.by !== 'code') return
    const { wanted } = last.current
    await show(async () => {
      const started = await startConfirmation(wanted)
      last.current = { wanted, started }
      return { by: 'code', started }
    })
  }

  function forget() {
    last.current = null
  }

  function onEnd(confirmed: boolean) {
    if (confirmed) forget()
    end(confirmed)
  }

  if (shown === null) return null
  if (shown.by === 'passkey') {
    const { proof } = shown.started
    return (
      <ByPasskey
        started={shown.started}
        askAgain={() => show(async () => ({ by: 'passkey', started: await startPasskeyProof(proof) }))}
        takeCode={() => show(async () => ({ by: 'code', started: await codeFor(proof, last) }))}
        onEnd={onEnd}
      />
    )
  }
  return <ByCode started={shown.started} sendAgain={sendAgain} onOver={forget} onEnd={onEnd} />
}

/** What is asked now, and what is done with it. A request that has to be proved waits for the end. */
function useAsked(loadTexts: ConfirmationProps['loadTexts'], last: RefObject<LastCode | null>) {
  const [shown, setShown] = useState<Shown | null>(null)
  const answer = useRef<(confirmed: boolean) => void>(() => undefined)
  /** How many dialogs have ended. */
  const ended = useRef(0)

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
  }, [last, loadTexts])

  return {
    shown,
    /** Shows what comes next, unless the dialog has ended before it has come. */
    show: async (next: () => Promise<Shown>) => {
      const endedBefore = ended.current
      const shownNext = await next()
      if (ended.current === endedBefore) setShown(shownNext)
    },
    end: (confirmed: boolean) => {
      ended.current += 1
      setShown(null)
      answer.current(confirmed)
    },
  }
}

/** Returns the last code if it was for this and may still confirm. Has another one sent otherwise. */
async function codeFor(wanted: WhatToProve, last: RefObject<LastCode | null>): Promise<StartedConfirmation> {
  const known = last.current
  const isSame = known !== null && JSON.stringify(known.wanted) === JSON.stringify(wanted)
  if (isSame && Date.parse(known.started.expires_at) > Date.now()) return known.started
  const started = await startConfirmation(wanted)
  last.current = { wanted, started }
  return started
}

/** Whether a passkey of the notary's proves it, and the browser has passkeys. */
const isForPasskey = (asked: WhatToProve): asked is PaymentToProve =>
  'kinds' in asked && asked.kinds.includes('passkey') && hasPasskeys()

/** The refusals after which no code is right any more. */
const isOver = new Set<MessageKey>(['otp_expired', 'otp_tries_exhausted', 'operation_unknown'])

interface ByCodeProps {
  readonly started: StartedConfirmation
  readonly sendAgain: () => Promise<void>
  /** It cannot confirm any more. The next request that needs a code starts another one. */
  readonly onOver: () => void
  readonly onEnd: (confirmed: boolean) => void
}

function titleOfPayment({ part, card_figures: figures, act }: PaymentToProve) {
  if (act) return msg`Підтвердьте дію`
  if (figures) return msg`Підтвердьте нові суми`
  return part ? msg`Підтвердьте переказ` : msg`Підтвердьте оплату карткою`
}

function ByCode({ started, sendAgain, onOver, onEnd }: ByCodeProps) {
  const { t, i18n } = useLingui()
  const { operation_id: operation } = started
  const titleOf = ({ proof, passkey, confirms_account: confirmsAccount }: StartedConfirmation) => {
    if (confirmsAccount) return t`Підтвердьте обліковий запис`
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
    await sendAgain()
    return 'code' as const
  }

  return (
    <Dialog open onClose={() => onEnd(false)} title={titleOf(started)}>
      <div ref={content} className="flex flex-col gap-5">
        <Explanation started={started} />
        <CodeForm
          label={started.confirms_account ? t`Код із повідомлення` : undefined}
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
  if (started.confirms_account) {
    return (
      <p>
        <Trans>Код надіслано на {phone} – контакт із реєстру нотаріусів.</Trans>
      </p>
    )
  }
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
  if (!proof) return null
  if (proof.act) {
    return (
      <>
        <Act act={proof.act} />
        <p>
          <Trans>Код надіслано на номер {phone}. Звірте дані в повідомленні. Усе введене залишиться.</Trans>
        </p>
      </>
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

const endOf = (text: string | null) => (text === null ? '–' : `…${text.slice(-4)}`)

/** Says what is done on the account. */
function Act({ act }: { readonly act: NonNullable<PaymentToProve['act']> }) {
  const { t } = useLingui()
  const accountOf = ({ iban, okpo }: { readonly iban: string | null; readonly okpo: string | null }) => {
    const [account, code] = [endOf(iban), endOf(okpo)]
    return t`рахунок ${account}, код ${code}`
  }
  const { profile, recipient, own_account: own, end_sessions: ended } = act
  if (profile) {
    const { account, email, phone_additional: phone, registry_identifier: identifier } = profile
    const fields = [
      account && accountOf(account),
      email !== null && `${t`електронна пошта`} ${email || '–'}`,
      phone !== null && `${t`додатковий телефон`} ${phone || '–'}`,
      identifier !== null && `${t`ідентифікатор`} ${identifier}`,
    ]
    const named = fields.filter(Boolean).join('; ')
    return (
      <p>
        <Trans>У вашому профілі буде збережено: {named}.</Trans>
      </p>
    )
  }
  if (recipient) {
    const account = accountOf(recipient)
    return (
      <p>
        <Trans>Буде збережено отримувача: {account}.</Trans>
      </p>
    )
  }
  if (own) {
    const account = accountOf(own)
    return (
      <p>
        <Trans>Платіж піде не на рахунок із вашого профілю, а на інший: {account}.</Trans>
      </p>
    )
  }
  return (
    <p>
      {ended?.id ? (
        <Trans>Інший сеанс буде завершено.</Trans>
      ) : (
        <Trans>Усі інші сеанси буде завершено.</Trans>
      )}
    </p>
  )
}

/** Says what is paid, and to whom most of it goes, or what is done. */
function Payment({ proof }: { readonly proof: PaymentToProve }) {
  if (proof.act) return <Act act={proof.act} />
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
  const { i18n } = useLingui()
  const { proof } = started
  const hasCode = proof.kinds.includes('code')
  const { busy, trouble, attempt } = useAttempts()
  const first = useRef<HTMLButtonElement>(null)
  // The dialog has just moved the focus to its first button.
  useEffect(() => first.current?.focus(), [])

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
        <ToCompare proof={proof} />
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

/** Says what to compare with what the browser shows. */
function ToCompare({ proof }: { readonly proof: PaymentToProve }) {
  if (!proof.largest) return null
  return (
    <p>
      {proof.part ? (
        <Trans>Звірте суму й рахунок.</Trans>
      ) : (
        <Trans>Звірте суму й рахунок. Наступного разу ці отримувачі підтвердження не потребуватимуть.</Trans>
      )}
    </p>
  )
}

/** Tries one of the two ways, and says why it has failed. After a success something else is shown. */
function useAttempts() {
  const { t } = useLingui()
  const [busy, setBusy] = useState<'passkey' | 'code' | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)

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

  return { busy, trouble, attempt }
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
