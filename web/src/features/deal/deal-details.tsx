import { Trans, useLingui } from '@lingui/react/macro'

import type { DealKind, DealSum } from '@/api/deals'
import { Disclosure } from '@/forms/order-file/disclosure'
import { MoneyField } from '@/ui/money-field'
import { TextField } from '@/ui/text-field'

import { countsOf, detailsOf, detailSumsOf } from './details'
import { sumNames } from './sum-names'
import { textOf, type DealForm } from './use-deal'
import { valueOf } from './values'

interface DetailsProps {
  readonly form: DealForm
  readonly kind: DealKind
}

/** What most deals don't have: several objects or acquirers, land with a building, documented costs. */
export function Details({ form, kind }: DetailsProps) {
  const { t, i18n } = useLingui()
  const isUsed = detailsOf(kind).some(
    (name) => valueOf(form.values, name) !== '' || form.text(name).error !== null,
  )
  const hints: Partial<Record<DealSum, string>> = {
    building_price: t`Якщо продається разом із землею: збір на пенсійне страхування – лише від ціни будівлі`,
    costs: t`Зменшують дохід за третього або наступного продажу за рік. Податкова пише про річну декларацію продавця: перевірте`,
  }
  const counts = {
    objects: { label: t`Кількість об’єктів`, hint: t`Порожньо – один. Збори сплачуються за кожен` },
    owners: {
      label: t`Скільком особам переходять частки`,
      hint: t`Порожньо – одній. Збір за реєстрацію – за частку кожної особи в кожному об’єкті`,
    },
  }
  return (
    <Disclosure title={<Trans>Кілька об’єктів, частки, земля, витрати</Trans>} held={isUsed}>
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        {countsOf(kind).map((name) => (
          <TextField
            key={name}
            {...textOf(form, name)}
            {...counts[name]}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            onBlur={() => form.check(name)}
          />
        ))}
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
        <Trans>
          Якщо продавців кілька, розрахуйте податки окремо для кожного – від його частини ціни. Правила для
          цих полів не підтверджено джерелами: перевірте розрахунок.
        </Trans>
      </p>
    </Disclosure>
  )
}
