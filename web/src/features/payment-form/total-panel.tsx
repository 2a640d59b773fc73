import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type ReactNode } from 'react'

import type { Config } from '@/api/config'
import type { Price } from '@/lib/commission'
import { civilDate } from '@/lib/dates'
import { formatHryvnias } from '@/lib/money'
import { formatPercent, tariffChangesOn, tariffOn } from '@/lib/tariff'
import { useLocale } from '@/lib/use-locale'
import { announce } from '@/ui/live-region'
import { Sheet } from '@/ui/sheet'
import { Sum } from '@/ui/sum'

import { useToday } from './use-today'

/** How long the sum has to stay the same before it is announced. */
const ANNOUNCE_DELAY_MS = 800

interface TotalPanelProps {
  readonly price: Price | null
  readonly config: Config
  /** What is to be said about the price. */
  readonly notice: ReactNode
  /** The notary's own account. */
  readonly account: ReactNode
  /** The buttons of the form, shown below the sum. */
  readonly actions: ReactNode
}

/** The total of the payment with its commission. */
export function TotalPanel({ price, config, notice, account, actions }: TotalPanelProps) {
  const { t } = useLingui()
  useAnnouncedTotal(price)
  return (
    <Sheet heading={t`Разом до сплати`} foot={actions} className="lg:sticky lg:below-frame">
      <div className="flex flex-col gap-2">
        {price === null ? (
          <p className="text-ink-soft">
            <Trans>Щоб побачити підсумок, виберіть послугу або введіть суму.</Trans>
          </p>
        ) : (
          <>
            <p>
              <Sum value={price.sum} size="big" />
            </p>
            <PriceLines price={price} />
          </>
        )}
        {notice}
        <TariffNote config={config} parts={price?.parts.length ?? 1} />
        {account}
      </div>
    </Sheet>
  )
}

function PriceLines({ price }: { readonly price: Price }) {
  const own = price.parts.find(({ role }) => role === 'notary')
  const recipient = price.parts.find(({ role }) => role === 'recipient')
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5">
      <Line term={<Trans>Сума платежу</Trans>}>
        <Sum value={price.amount} />
      </Line>
      {own !== undefined && recipient !== undefined && (
        <>
          <Line term={<Trans>60 % на ваш рахунок</Trans>} quiet>
            <Sum value={own.amount} />
          </Line>
          <Line term={<Trans>40 % до бюджету</Trans>} quiet>
            <Sum value={recipient.amount} />
          </Line>
        </>
      )}
      <Line term={<Trans>Комісія</Trans>}>
        <Sum value={price.commission} />
      </Line>
      {own !== undefined && recipient !== undefined && (
        <>
          <Line term={<Trans>за частину 60 %</Trans>} quiet>
            <Sum value={own.commission} />
          </Line>
          <Line term={<Trans>за частину 40 %</Trans>} quiet>
            <Sum value={recipient.commission} />
          </Line>
        </>
      )}
    </dl>
  )
}

function Line({ term, quiet = false, children }: { term: ReactNode; quiet?: boolean; children: ReactNode }) {
  return (
    <>
      <dt className={quiet ? 'pl-3 text-sm text-ink-soft' : ''}>{term}</dt>
      <dd className={quiet ? 'text-right text-sm text-ink-soft' : 'text-right'}>{children}</dd>
    </>
  )
}

/** The tariff in force, with its past and coming changes. */
function TariffNote({ config, parts }: { readonly config: Config; readonly parts: number }) {
  const locale = useLocale()
  const today = useToday()
  const tariff = tariffOn(config, today)
  const percent = formatPercent(tariff.basisPoints, locale)
  const minimum = formatHryvnias(tariff.minimum, locale)
  return (
    <div className="flex flex-col border-t border-rule pt-2 text-xs tracking-tight text-ink-soft">
      <p>
        {parts > 1 ? (
          <Trans>
            Комісія {percent} %, щонайменше {minimum} за кожну частину
          </Trans>
        ) : (
          <Trans>
            Комісія {percent} %, щонайменше {minimum}
          </Trans>
        )}
      </p>
      {tariffChangesOn(config, today).map((change) => (
        <TariffChangeLine
          key={change.date}
          date={civilDate(change.date)}
          percent={formatPercent(change.basisPoints, locale)}
          minimum={formatHryvnias(change.minimum, locale)}
          happened={change.happened}
        />
      ))}
    </div>
  )
}

interface TariffChangeLineProps {
  readonly date: string
  readonly percent: string
  readonly minimum: string
  readonly happened: boolean
}

function TariffChangeLine({ date, percent, minimum, happened }: TariffChangeLineProps) {
  return happened ? (
    <p>
      <Trans>Цей тариф діє з {date}.</Trans>
    </p>
  ) : (
    <p className="font-medium text-caution">
      <Trans>
        Увага: з {date} тариф становитиме {percent} %, щонайменше {minimum}.
      </Trans>
    </p>
  )
}

/** Announces a new total and its commission once they stay the same. The first ones are read with the page. */
function useAnnouncedTotal(price: Price | null) {
  const { t } = useLingui()
  const locale = useLocale()
  const sum = price?.sum ?? null
  const part = price?.commission ?? null
  const said = useRef(sum)
  useEffect(() => {
    if (sum === said.current || sum === null || part === null) return undefined
    const timer = setTimeout(() => {
      said.current = sum
      const total = formatHryvnias(sum, locale)
      const commission = formatHryvnias(part, locale)
      announce(t`Разом до сплати ${total}, у тому числі комісія ${commission}`)
    }, ANNOUNCE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [sum, part, locale, t])
}
