import { Trans, useLingui } from '@lingui/react/macro'

import type { DealKind, DealSum } from '@/api/deals'
import { Disclosure } from '@/forms/order-file/disclosure'
import { MoneyField } from '@/ui/money-field'
import { TextField } from '@/ui/text-field'

import { countsOf, detailsOf, detailSumsOf } from './details'
import { sumNames } from './sum-names'
import { payerName, type DealPayer } from './payers'
import { PAYERS, shareField, sharersOf } from './shares'
import { textOf, type DealForm } from './use-deal'
import { valueOf } from './values'

interface DetailsProps {
  readonly form: DealForm
  readonly kind: DealKind
}

const payerAt = ({ taxpayer }: DealKind, number: number): DealPayer =>
  number === 1 ? (taxpayer ?? '') : `${taxpayer}:${number}`

const allOf = (kind: DealKind, sharers: readonly number[]) => sharers.map((number) => payerAt(kind, number))

/** What most deals don't have: several objects, acquirers or taxpayers, land with a building, documented costs. */
export function Details({ form, kind }: DetailsProps) {
  const { t, i18n } = useLingui()
  const isUsed = detailsOf(kind, form.values).some(
    (name) => valueOf(form.values, name) !== '' || form.text(name).error !== null,
  )
  const hints: Partial<Record<DealSum, string>> = {
    building_price: t`Якщо продається разом із землею: збір на пенсійне страхування – лише від ціни будівлі`,
    costs: t`Зменшують дохід за третього або наступного продажу за рік. Податкова пише про річну декларацію продавця: перевірте`,
  }
  return (
    <Disclosure title={<Trans>Кілька об’єктів, частки, земля, витрати</Trans>} held={isUsed}>
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        <Counts form={form} kind={kind} />
        <Shares form={form} kind={kind} />
        {detailSumsOf(kind).map((sum) => (
          <MoneyField
            key={sum}
            {...textOf(form, sum)}
            label={i18n._(sumNames[sum])}
            hint={hints[sum] ?? null}
            onBlur={() => form.check(sum)}
            enterKeyHint="next"
          />
        ))}
      </div>
      <p className="text-sm text-ink-soft">
        {sharersOf(kind, form.values).length > 0 && (
          <>
            <Trans>
              Якщо відповіді для цих платників різні (скажімо, лише для одного це перший продаж за рік),
              розрахуйте податки кожного окремо.
            </Trans>{' '}
          </>
        )}
        <Trans>Правила для цих полів не підтверджено джерелами: перевірте розрахунок.</Trans>
      </p>
    </Disclosure>
  )
}

/** The props of a short field that is checked when it is left. */
const shortField = (form: DealForm, name: string, maxLength: number) => ({
  ...textOf(form, name),
  maxLength,
  autoComplete: 'off',
  onBlur: () => form.check(name),
})

/** How many objects, and to how many persons they go. */
function Counts({ form, kind }: DetailsProps) {
  const { t } = useLingui()
  const words = {
    objects: { label: t`Кількість об’єктів`, hint: t`Порожньо – один. Збори сплачуються за кожен` },
    owners: {
      label: t`Скільком особам переходять частки`,
      hint: t`Порожньо – одній. Збір за реєстрацію – за частку кожної особи в кожному об’єкті`,
    },
  }
  return countsOf(kind).map((name) => (
    <TextField key={name} {...shortField(form, name, 3)} {...words[name]} inputMode="numeric" />
  ))
}

/** How many pay the taxes, and the share of each. */
function Shares({ form, kind }: DetailsProps) {
  const { t, i18n } = useLingui()
  const sharers = sharersOf(kind, form.values)
  return (
    <>
      {kind.taxpayer !== null && (
        <TextField
          {...shortField(form, PAYERS, 2)}
          label={t`Скільки осіб платять податки`}
          hint={t`Порожньо – одна. Податки кожного зі співвласників обчислюються з його частки`}
          inputMode="numeric"
        />
      )}
      {sharers.map((number) => (
        <TextField
          key={shareField(number)}
          {...shortField(form, shareField(number), 9)}
          label={t`Частка: ${payerName(payerAt(kind, number), allOf(kind, sharers), i18n)}`}
          hint={number === 1 ? t`Дріб, наприклад 1/3. Усі порожні – частки рівні` : null}
        />
      ))}
    </>
  )
}
