import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type Ref } from 'react'

import { useClientLink, type ClientLink as Link, type MadeClientLink } from '@/api/client-link'
import { takesCodes } from '@/api/payment-state'
import { Disclosure } from '@/forms/order-file/disclosure'
import { failureText } from '@/i18n/message-texts'
import { longMoment } from '@/lib/dates'
import type { FiledOrder } from '@/lib/order-file'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { DescriptionList } from '@/ui/description-list'
import { announce } from '@/ui/live-region'
import { Notice } from '@/ui/notice'
import { Select } from '@/ui/select'
import { Spinner } from '@/ui/spinner'
import { TextField } from '@/ui/text-field'
import { useFocusAfter } from '@/ui/use-focus-after'

import { Failed } from './failed'
import { ReceiptMail } from './receipt-mail'
import { SendLink } from './send-link'

/** Lives of a link that may be chosen, in hours, below the longest. */
const HOURS = [1, 4, 24, 48, 72]

/**
 * The link by which the client pays an unpaid order without signing in, and where the client's receipt is sent. It is read when it is
 * unfolded.
 */
export function ClientLink({ order }: { readonly order: FiledOrder }) {
  const { i18n } = useLingui()
  const [wanted, setWanted] = useState(false)
  const calls = useClientLink(order.id, wanted)
  const { data, error, isFetching } = calls.link
  const { readAnew } = calls
  // A message about the order may mean that the link was opened.
  const seen = useRef(order)
  useEffect(() => {
    if (seen.current === order) return
    seen.current = order
    if (wanted) void readAnew()
  })
  const isUnpaid = takesCodes(order)
  if (!isUnpaid && order.status !== 'paid') return null
  return (
    <Disclosure
      title={isUnpaid ? <Trans>Посилання для клієнта</Trans> : <Trans>Квитанція клієнту</Trans>}
      onUnfold={() => setWanted(true)}
    >
      {error !== null && (
        <Notice tone="error" title={<Trans>Не завантажено</Trans>}>
          <p>{failureText(error, i18n)}</p>
          <Button size="small" icon="refresh" loading={isFetching} onClick={() => void readAnew()}>
            <Trans>Спробувати ще раз</Trans>
          </Button>
        </Notice>
      )}
      {data === undefined && error === null && <Waiting />}
      {data !== undefined && isUnpaid && <LinkPart link={data} calls={calls} />}
      {data?.letters && <ReceiptMail link={data} calls={calls} />}
    </Disclosure>
  )
}

function Waiting() {
  const { t } = useLingui()
  return (
    <p>
      <Spinner label={t`Завантаження…`} />
    </p>
  )
}

interface LinkPartProps {
  readonly link: Link
  readonly calls: ReturnType<typeof useClientLink>
}

/** Makes the link, shows it, sends it and withdraws it. */
function LinkPart({ link, calls }: LinkPartProps) {
  const { t } = useLingui()
  const { made, make, withdraw } = calls
  const isOpen = link.state === 'open'
  const shown = isOpen && made !== null && made.link.made_at === link.made_at ? made : null
  const life = useRef<HTMLSelectElement>(null)
  useFocusAfter(!withdraw.isIdle && !isOpen, life)
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft">
        <Trans>
          Клієнт відкриває посилання на телефоні без входу: бачить, що, кому і скільки сплачує, платить
          карткою або за QR-кодами й отримує квитанцію. QR-коди та квитанція містять код клієнта й рахунки,
          тож передавайте посилання лише клієнту. Через добу після оплати воно перестає діяти.
        </Trans>
      </p>
      <Facts link={link} />
      {shown !== null && <Address made={shown} />}
      {shown !== null && <SendLink link={link} token={shown.token} send={calls.send} />}
      {isOpen && shown === null && (
        <p className="text-sm text-ink-soft">
          <Trans>Адресу посилання показано лише тоді, коли його створено. Нове посилання замінить це.</Trans>
        </p>
      )}
      <Failed error={make.error} unknown={<Trans>Невідомо, чи створено посилання</Trans>} />
      <Failed error={withdraw.error} unknown={<Trans>Невідомо, чи скасовано посилання</Trans>} />
      <MakeLink link={link} make={make} life={life} />
      {isOpen && (
        <div>
          <Button
            variant="danger"
            loading={withdraw.isPending}
            onClick={() => withdraw.mutate(undefined, { onSuccess: () => announce(t`Посилання скасовано`) })}
          >
            <Trans>Скасувати посилання</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}

/** Where the link stands. */
function Facts({ link }: { readonly link: Link }) {
  const { t } = useLingui()
  const locale = useLocale()
  const moment = (iso: string | null | undefined) => (iso ? longMoment(iso, locale) : null)
  if (link.state === 'none') return null
  const state = {
    open: t`діє`,
    ended: t`строк минув`,
    withdrawn: t`скасовано`,
  }[link.state]
  const sent = moment(link.sent_at)
  return (
    <DescriptionList
      items={[
        { term: t`Посилання`, description: state },
        { term: link.state === 'open' ? t`Діє до` : t`Діяло до`, description: moment(link.ends_at) },
        { term: t`Відкрито клієнтом`, description: moment(link.opened_at) ?? t`ще ні` },
        ...(sent === null ? [] : [{ term: t`Востаннє надіслано`, description: sent }]),
      ]}
    />
  )
}

/** The address, to be copied. */
function Address({ made }: { readonly made: MadeClientLink }) {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  async function copy() {
    try {
      await navigator.clipboard.writeText(made.url)
      announce(t`Посилання скопійовано`)
    } catch {
      // Without the right to the clipboard the text is selected, to be copied by hand.
      field.current?.select()
    }
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextField
        ref={field}
        label={t`Адреса посилання`}
        readOnly
        value={made.url}
        onFocus={(event) => event.currentTarget.select()}
        className="min-w-0 grow basis-64"
      />
      <Button onClick={() => void copy()}>
        <Trans>Скопіювати</Trans>
      </Button>
    </div>
  )
}

interface MakeLinkProps {
  readonly link: Link
  readonly make: ReturnType<typeof useClientLink>['make']
  readonly life: Ref<HTMLSelectElement>
}

function MakeLink({ link, make, life }: MakeLinkProps) {
  const { t } = useLingui()
  const longest = link.hours_max
  const [hours, setHours] = useState(String(longest))
  const choices = [...HOURS.filter((hour) => hour < longest), longest]
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        ref={life}
        label={t`Строк дії, годин`}
        value={hours}
        onValueChange={setHours}
        options={choices.map((choice) => ({ value: String(choice), label: String(choice) }))}
        className="w-44"
      />
      <Button
        loading={make.isPending}
        onClick={() => make.mutate(Number(hours), { onSuccess: () => announce(t`Посилання створено`) })}
      >
        {link.state === 'open' ? <Trans>Створити нове посилання</Trans> : <Trans>Створити посилання</Trans>}
      </Button>
    </div>
  )
}
