import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, useEffect, useRef, useState } from 'react'

import type { Order } from '@/api/orders'
import { refundToCard, type OrderTransfer, type ReturnApplication } from '@/api/transfers'
import type { User } from '@/api/user'
import { forgetDraft } from '@/forms/draft'
import { groupIban } from '@/lib/iban'
import { later } from '@/lib/later'
import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { DescriptionList } from '@/ui/description-list'
import { AfterReturn } from '@/ui/returned/after-return'
import { Sheet } from '@/ui/sheet'
import { SlashedName } from '@/ui/slashed-name'
import { Loading } from '@/ui/spinner'
import { StatusMark } from '@/ui/status-mark'
import { Sum } from '@/ui/sum'
import { useFocusAfter } from '@/ui/use-focus-after'

import { ApplicationForm } from './application-form'
import { RefundDialog } from './refund-dialog'
import { correctionName } from './correction-name'
import { transferLook } from './transfer-look'

const CorrectionForm = later(async () => (await import('./load-correction')).load())

interface TransferSheetProps {
  readonly transfer: OrderTransfer
  /** What became of it, if it came back and no later transfer did. */
  readonly part: Order['returned'][number] | undefined
  readonly notary: User
  /** The code of the order's client. */
  readonly clientCode: string
}

/** One transfer with its requisites and status. */
export function TransferSheet({ transfer, part, notary, clientCode }: TransferSheetProps) {
  const { t, i18n } = useLingui()
  const number = transfer.document_number
  const look = transferLook(transfer)
  const heading = useDecidedNow(transfer)
  const applicationName = (application: ReturnApplication) =>
    application === 'budget'
      ? t`Заява про повернення коштів з бюджету`
      : t`Заява про повернення плати за інформацію з реєстру`
  return (
    <Sheet
      heading={
        <span ref={heading} tabIndex={-1}>
          <Trans>Переказ № {number}</Trans>
        </span>
      }
      aside={<StatusMark tone={look.tone}>{i18n._(look.text)}</StatusMark>}
    >
      <Requisites transfer={transfer} />
      <AfterReturn again={transfer.replaced_by} part={part} className="mt-4" />
      <MoneyNow transfer={transfer} part={part} />
      {transfer.is_undecided && <Decision transfer={transfer} notary={notary} clientCode={clientCode} />}
      {transfer.application !== null && (
        <Application transfer={transfer} notaryId={notary.id} name={applicationName(transfer.application)} />
      )}
    </Sheet>
  )
}

/** Moves the focus to the heading once something is decided about the transfer, and forgets what was typed for it. */
function useDecidedNow(transfer: OrderTransfer) {
  const heading = useRef<HTMLElement>(null)
  const [wasUndecided] = useState(transfer.is_undecided)
  const isDecidedNow = wasUndecided && !transfer.is_undecided
  useFocusAfter(isDecidedNow, heading)
  // Also where the answer to the form was lost.
  useEffect(() => {
    if (isDecidedNow)
      forgetDraft({
        name: `draft ${correctionName(transfer.document_number)}`,
        read: () => null,
        asksBeforeLeaving: true,
      })
  }, [isDecidedNow, transfer.document_number])
  return heading
}

function Requisites({ transfer }: Pick<TransferSheetProps, 'transfer'>) {
  const { t } = useLingui()
  return (
    <DescriptionList
      items={[
        { term: t`Сума`, description: <Sum value={fromHryvnias(transfer.amount)} /> },
        { term: t`Отримувач`, description: <SlashedName name={transfer.recipient_name} /> },
        { term: t`Код отримувача`, description: transfer.okpo },
        { term: t`Рахунок IBAN`, description: groupIban(transfer.iban) },
        { term: t`Призначення платежу`, description: <span lang="uk">{transfer.purpose}</span> },
        ...(transfer.reason === null
          ? []
          : [{ term: t`Причина повернення`, description: <span lang="uk">{transfer.reason}</span> }]),
        ...(transfer.replaces === null
          ? []
          : [{ term: t`Замість повернутого переказу`, description: t`№ ${transfer.replaces}` }]),
      ]}
    />
  )
}

/** Where the money is, where that is not the recipient. */
function MoneyNow({ transfer, part }: Pick<TransferSheetProps, 'transfer' | 'part'>) {
  return (
    <>
      {transfer.status === 'disputed' && (
        <p className="mt-4">
          <Trans>
            Банк повідомив, що не виконав переказ, а кошти списав або зарахував отримувачу. Ми з’ясовуємо в
            банку, де вони. До його відповіді переказ не можна надіслати повторно або повернути на картку. Не
            сплачуйте ці кошти вдруге.
          </Trans>
        </p>
      )}
      {transfer.status === 'called_off' && (
        <p className="mt-4 font-semibold">
          <Trans>Кошти цього переказу повернено на картку</Trans>
        </p>
      )}
      {part?.after === 'refund_requested' && (
        <p className="mt-1 text-sm text-ink-soft">
          <Trans>
            Запит виконує служба підтримки. Коли кошти буде повернено, ви отримаєте повідомлення, а тут
            з’явиться дата. Банк, що видав картку, зараховує їх упродовж кількох робочих днів.
          </Trans>
        </p>
      )}
    </>
  )
}

/** The two things that can be done about a returned transfer. */
function Decision({ transfer, notary, clientCode }: Omit<TransferSheetProps, 'part'>) {
  const { t } = useLingui()
  const [opened, setOpened] = useState<'form' | 'refund' | 'closed' | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  useFocusAfter(opened === 'closed', button)
  const number = transfer.document_number
  const sum = formatHryvnias(fromHryvnias(transfer.amount), useLocale())
  if (opened === 'form') {
    return (
      <Suspense fallback={<Loading />}>
        <CorrectionForm
          transfer={transfer}
          notary={notary}
          clientCode={clientCode}
          onClose={() => setOpened('closed')}
        />
      </Suspense>
    )
  }
  return (
    <div className="mt-6 actions">
      <Button ref={button} variant="primary" onClick={() => setOpened('form')}>
        <Trans>Виправити й надіслати повторно</Trans>
      </Button>
      <Button onClick={() => setOpened('refund')}>
        <Trans>Повернути на картку</Trans>
      </Button>
      <RefundDialog
        open={opened === 'refund'}
        onClose={() => setOpened('closed')}
        what={t`Переказ № ${number}: ${sum}.`}
        refund={() => refundToCard(transfer.id)}
      />
    </div>
  )
}

interface ApplicationProps {
  readonly transfer: OrderTransfer
  readonly notaryId: string
  readonly name: string
}

/** The application for the return of money that has been sent to the budget or for information of a register. */
function Application({ transfer, notaryId, name }: ApplicationProps) {
  const [opened, setOpened] = useState<'form' | 'closed' | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  useFocusAfter(opened === 'closed', button)
  if (opened === 'form') {
    return (
      <ApplicationForm
        transfer={transfer}
        notaryId={notaryId}
        name={name}
        onClose={() => setOpened('closed')}
      />
    )
  }
  return (
    <div className="mt-6 actions">
      <Button ref={button} onClick={() => setOpened('form')}>
        {name}
      </Button>
    </div>
  )
}
