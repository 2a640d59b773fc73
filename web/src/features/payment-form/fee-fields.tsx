import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import type { NextYearFee, Requisite } from '@/api/payment-types'
import type { PaymentKind } from '@/lib/commission'
import { civilDate } from '@/lib/dates'
import { groupIban } from '@/lib/iban'
import { formatHryvnias, fromHryvnias } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { DescriptionList } from '@/ui/description-list'
import { Notice } from '@/ui/notice'
import { Select } from '@/ui/select'
import { useFocusAfter } from '@/ui/use-focus-after'

import { nextYearFee } from './amount'
import { ListSelect } from './list-select'
import type { PaymentLists } from './list'
import { likelyChoices } from './lists'
import { hasTerms, withOption, withRegion, withTerm, type PaymentFields, type PaymentValues } from './values'

interface FeeFieldsProps {
  readonly form: PaymentFields
  readonly kind: PaymentKind
  readonly lists: PaymentLists
}

/** What is chosen from lists. */
const CHOICES = ['optionId', 'termId', 'regionId', 'requisiteId'] as const

/** Service, term, region and recipient, chosen from the reference data. */
export function FeeFields({ form, kind, lists }: FeeFieldsProps) {
  const { t } = useLingui()
  const locale = useLocale()
  const { values } = form
  const { requisite, names, isFolded, unfold, firstUnfolded, choose } = useChoices({ form, kind, lists })
  const nextYear = nextYearFee(values, { options: lists.options.entries, terms: lists.terms.entries })
  const withSum = (name: string, sum: number) => `${name} – ${formatHryvnias(fromHryvnias(sum), locale)}`
  return (
    <div className="grid gap-x-4 gap-y-3 @xl:grid-cols-2">
      <ListSelect
        {...form.text('optionId')}
        place={cx(!hasTerms(kind) && '@xl:col-span-2')}
        label={kind === 'registry_payment' ? t`Послуга реєстру` : t`Послуга`}
        list={lists.options}
        toOption={({ id, name, additional_data: { tariff } }) => ({
          value: id,
          label: tariff === null ? name : withSum(name, tariff),
        })}
        onValueChange={(optionId) => choose((current) => withOption(current, optionId, kind), true)}
        emptyText={t`Для цього виду платежу послуг ще немає`}
      />
      {isFolded && <AsLastTime names={names} onOpen={unfold} />}
      {hasTerms(kind) && !isFolded && (
        <ListSelect
          {...form.text('termId')}
          ref={firstUnfolded}
          label={t`Строк реєстрації`}
          list={lists.terms}
          toOption={({ id, period, tax }) => ({ value: id, label: withSum(period, tax) })}
          onValueChange={(termId) => choose((current) => withTerm(current, termId), false, requisite)}
          disabledReason={values.optionId === '' ? t`Спершу виберіть послугу` : null}
          emptyText={t`Для цієї послуги строків зараз немає`}
        />
      )}
      {nextYear !== null && <FilingYear form={form} next={nextYear} />}
      {!isFolded && (
        <>
          <ListSelect
            {...form.text('regionId')}
            {...(!hasTerms(kind) && { ref: firstUnfolded })}
            label={t`Регіон`}
            list={lists.regions}
            toOption={toOption}
            onValueChange={(regionId) => choose((current) => withRegion(current, regionId))}
            emptyText={t`Для цього виду платежу регіонів ще немає`}
          />
          <RecipientSelect form={form} kind={kind} lists={lists} />
        </>
      )}
      {requisite !== undefined && <RecipientDetails requisite={requisite} />}
    </div>
  )
}

/** What is chosen, and whether it stands in one line: what was chosen as the last time, until one of it is changed or wrong. */
function useChoices({ form, kind, lists }: FeeFieldsProps) {
  const queryClient = useQueryClient()
  const { values } = form
  const [lastTime, setLastTime] = useState<PaymentValues | null>(null)
  const [isOpened, setOpened] = useState(false)
  const requisite = lists.requisites.entries.find(({ id }) => id === values.requisiteId)
  const names = [
    hasTerms(kind) ? lists.terms.entries.find(({ id }) => id === values.termId)?.period : '',
    lists.regions.entries.find(({ id }) => id === values.regionId)?.name,
    requisite?.name,
  ]
  const isFolded =
    lastTime !== null &&
    CHOICES.every((name) => values[name] === lastTime[name] && form.text(name).error === null) &&
    !names.includes(undefined)
  const firstUnfolded = useRef<HTMLSelectElement>(null)
  useFocusAfter(isOpened && !isFolded, firstUnfolded)

  function choose(step: (values: PaymentValues) => PaymentValues, fresh = false, before?: Requisite) {
    form.change(step)
    const chosen = step(values)
    void likelyChoices(queryClient, kind, chosen, fresh, before).then((fill) => {
      form.change(fill)
      if (!fresh) return
      setOpened(false)
      setLastTime(chosen.requisiteId === '' ? fill(chosen) : null)
    })
  }

  function unfold() {
    setOpened(true)
    setLastTime(null)
  }

  return { requisite, names: names.filter(Boolean).join(', '), isFolded, unfold, firstUnfolded, choose }
}

const toOption = ({ id, name }: { readonly id: string; readonly name: string }) => ({
  value: id,
  label: name,
})

/** The recipient, or what has to be chosen before. */
function RecipientSelect({ form, kind, lists }: FeeFieldsProps) {
  const { t } = useLingui()
  return (
    <ListSelect
      {...form.text('requisiteId')}
      label={t`Отримувач`}
      list={lists.requisites}
      toOption={toOption}
      disabledReason={useRecipientReason(kind, form.values)}
      emptyText={t`У цьому регіоні отримувачів для такого платежу немає. Виберіть інший регіон`}
    />
  )
}

/** What was filled in as the last time, in one line. */
function AsLastTime({ names, onOpen }: { readonly names: string; readonly onOpen: () => void }) {
  const { t } = useLingui()
  return (
    <div
      role="group"
      aria-label={t`Як минулого разу`}
      className="flex min-w-0 items-end justify-between gap-3 @max-xl:flex-wrap"
    >
      <p className="min-w-0 text-sm leading-tight">
        <span className="block text-xs text-ink-soft">
          <Trans>Як минулого разу</Trans>
        </span>
        <span className="line-clamp-2 wrap-anywhere" title={names}>
          {names}
        </span>
      </p>
      <Button size="small" aria-label={t`Змінити: ${names}`} onClick={onOpen}>
        <Trans>Змінити</Trans>
      </Button>
    </div>
  )
}

/** The year in which the application is filed: this one unless the next is chosen. */
function FilingYear({ form, next }: { readonly form: PaymentFields; readonly next: NextYearFee }) {
  const { t } = useLingui()
  const locale = useLocale()
  const amount = formatHryvnias(fromHryvnias(next.amount), locale)
  const [thisYear, year] = [next.year - 1, String(next.year)]
  return (
    <Select
      {...form.text('filingYear')}
      label={t`Рік подання`}
      hint={t`Збір сплачують за сумою року, у якому подають заяву`}
      options={[
        { value: '', label: String(thisYear) },
        { value: year, label: `${year} – ${amount}` },
      ]}
      onValueChange={(filingYear) => form.change({ filingYear })}
    />
  )
}

/** The first choice that is missing before a recipient can be chosen; null where none is. */
function useRecipientReason(kind: PaymentKind, values: PaymentValues): string | null {
  const { t } = useLingui()
  if (hasTerms(kind) && values.optionId === '') return t`Спершу виберіть послугу`
  if (hasTerms(kind) && values.termId === '') return t`Спершу виберіть строк`
  return values.regionId === '' ? t`Спершу виберіть регіон` : null
}

function RecipientDetails({ requisite }: { readonly requisite: Requisite }) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-2 @xl:col-span-2">
      <DescriptionList
        inRow
        items={[
          {
            term: t`Рахунок IBAN`,
            description: (
              <span className="tabular-nums max-sm:text-sm max-sm:tracking-tight">
                {groupIban(requisite.iban)}
              </span>
            ),
          },
          { term: t`Код отримувача`, description: <span className="tabular-nums">{requisite.okpo}</span> },
          ...(requisite.budget_code === null
            ? []
            : [
                {
                  term: t`Код класифікації доходів бюджету`,
                  description: <span className="tabular-nums">{requisite.budget_code}</span>,
                },
              ]),
        ]}
      />
      {requisite.unconfirmed !== null && <UnconfirmedAccount {...requisite.unconfirmed} />}
      {requisite.demonstration && (
        <Notice tone="warn">
          <Trans>Демонстраційний рахунок. Реальна сплата неможлива.</Trans>
        </Notice>
      )}
    </div>
  )
}

/** Says in one line that the account may be of an earlier year. */
function UnconfirmedAccount({ confirmed_on }: NonNullable<Requisite['unconfirmed']>) {
  const day = confirmed_on === null ? null : civilDate(confirmed_on)
  return (
    <p className="text-sm text-ink-soft">
      {day === null ? (
        <Trans>Цього року рахунок ще не звірено. Перевірте, чи він не змінився.</Trans>
      ) : (
        <Trans>Рахунок востаннє звірено {day}. Перевірте, чи він не змінився цього року.</Trans>
      )}
    </p>
  )
}
