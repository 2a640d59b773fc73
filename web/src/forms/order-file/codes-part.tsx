import { Trans, useLingui } from '@lingui/react/macro'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { useEffect, useRef, type RefObject } from 'react'

import { Failed } from '@/forms/failed'
import { longMoment } from '@/lib/dates'
import { fromHryvnias } from '@/lib/money'
import { shownCodesKey, type PaymentCodes, type TransferCode } from '@/lib/order-file'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { DescriptionList } from '@/ui/description-list'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { SlashedName } from '@/ui/slashed-name'
import { Sum } from '@/ui/sum'

import { CodePicture } from './code-picture'
import { Disclosure } from './disclosure'

interface CodesPartProps {
  readonly orderId: string
  readonly givenAt: string | null
  /** Whether the order can be paid by card now. Codes that were shown before are then not to be paid. */
  readonly isPageOpen: boolean
  readonly load: () => Promise<PaymentCodes>
  /** Downloads the sheet. */
  readonly download: () => void
  readonly downloading: boolean
}

/** The QR codes of an unpaid order: another way to pay, past the cabinet. They are shown when they are asked for. */
export function CodesPart({ orderId, givenAt, isPageOpen, load, download, downloading }: CodesPartProps) {
  const { t } = useLingui()
  const locale = useLocale()
  const queryClient = useQueryClient()
  // The page of the order may change with its status, and must not lose the codes.
  const queryKey = shownCodesKey(orderId)
  const { data } = useQuery<PaymentCodes>({ queryKey, queryFn: skipToken, staleTime: Infinity })
  const codes = isPageOpen ? undefined : data
  const asking = useMutation({
    mutationFn: load,
    onSuccess: (answer) => {
      queryClient.setQueryData(queryKey, answer)
      announce(t`QR-коди показано`)
    },
  })
  const list = useRef<HTMLOListElement>(null)
  // The pressed button is gone. A focus that has moved elsewhere meanwhile stays.
  useEffect(() => {
    if (asking.isSuccess && document.activeElement === document.body) list.current?.focus()
  }, [asking.isSuccess])
  const given = givenAt === null ? null : longMoment(givenAt, locale)
  return (
    <Disclosure
      title={<Trans>Сплатити за QR-кодами</Trans>}
      summary={given && <Trans>коди видано {given}</Trans>}
      open={codes !== undefined}
    >
      <BeforeCodes />
      <Failed failure={asking.error} title={<Trans>Коди не показано</Trans>} />
      {codes === undefined ? (
        <div>
          <Button loading={asking.isPending} onClick={() => asking.mutate()}>
            <Trans>Закрити оплату карткою і показати коди</Trans>
          </Button>
        </div>
      ) : (
        <ShownCodes codes={codes} list={list} download={download} downloading={downloading} />
      )}
    </Disclosure>
  )
}

/** What the client must know before the codes are shown. */
function BeforeCodes() {
  return (
    <Notice tone="warn" title={<Trans>Або QR-коди, або картка</Trans>}>
      <ul className="flex list-disc flex-col gap-1 pl-5">
        <li>
          <Trans>
            За кодом кошти надходять отримувачеві напряму з будь-якого банку, без комісії сервісу. На кожен
            переказ потрібен окремий код.
          </Trans>
        </li>
        <li>
          <Trans>
            Оплатіть замовлення або за QR-кодами, або карткою. Якщо його вже оплачено карткою, кодами не
            користуйтеся; якщо сплачено за кодами, не оплачуйте карткою: інакше кошти буде сплачено двічі.
          </Trans>
        </li>
        <li>
          <Trans>Коли коди буде показано, сторінку оплати карткою буде закрито.</Trans>
        </li>
        <li>
          <Trans>
            Сервіс не бачить сплати за кодами: її підтверджує банк платника. Коли платник покаже вам його
            квитанцію, позначте замовлення як сплачене.
          </Trans>
        </li>
      </ul>
    </Notice>
  )
}

interface ShownCodesProps extends Pick<CodesPartProps, 'download' | 'downloading'> {
  readonly codes: PaymentCodes
  readonly list: RefObject<HTMLOListElement | null>
}

/** The codes with their sum. */
function ShownCodes({ codes, list, download, downloading }: ShownCodesProps) {
  const { t } = useLingui()
  const count = codes.transfers.length
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-ink-soft">
            <Trans>Разом за кодами</Trans>
          </span>
          <Sum value={fromHryvnias(codes.total)} size="total" />
        </p>
        <Button icon="download" loading={downloading} onClick={download}>
          <Trans>Коди для клієнта (PDF)</Trans>
        </Button>
      </div>
      <ol ref={list} tabIndex={-1} aria-label={t`QR-коди переказів`} className="flex flex-col gap-6">
        {codes.transfers.map((transfer, index) => (
          <TransferLine
            key={`${transfer.iban} ${transfer.purpose} ${transfer.amount}`}
            transfer={transfer}
            place={index + 1}
            count={count}
          />
        ))}
      </ol>
    </>
  )
}

interface TransferLineProps {
  readonly transfer: TransferCode
  readonly place: number
  readonly count: number
}

function TransferLine({ transfer, place, count }: TransferLineProps) {
  const { t } = useLingui()
  const { picture, recipient_name: name } = transfer
  return (
    <li className="flex flex-col gap-4 border-t border-rule pt-4 sm:flex-row">
      {picture === null ? (
        <p className="text-sm text-danger sm:w-60">
          <Trans>Реквізити задовгі для QR-коду. Уведіть їх у банку вручну.</Trans>
        </p>
      ) : (
        <CodePicture picture={picture} label={t`QR-код: переказ ${place} з ${count}, ${name}`} />
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-semibold">
            <Trans>
              Переказ {place} з {count}
            </Trans>
          </span>
          <Sum value={fromHryvnias(transfer.amount)} className="font-semibold" />
        </p>
        <DescriptionList
          items={[
            { term: t`Отримувач`, description: <SlashedName name={name} /> },
            { term: t`Код отримувача`, description: transfer.recipient_code },
            { term: 'IBAN', description: <span className="wrap-anywhere">{transfer.iban}</span> },
            {
              term: t`Призначення платежу`,
              description: (
                <span lang="uk" className="wrap-anywhere">
                  {transfer.purpose}
                </span>
              ),
            },
          ]}
        />
        {picture !== null && (
          <a href={picture.link} target="_blank" rel="noopener noreferrer" className="link self-start">
            <Trans>Відкрити в застосунку банку на цьому пристрої</Trans>
          </a>
        )}
      </div>
    </li>
  )
}
