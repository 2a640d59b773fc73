import { useLingui } from '@lingui/react/macro'

import { hasCyrillicCountryLetter, isBudgetAccount, normaliseIban, parseIban } from '@/lib/iban'
import { okpoHasWrongCheckDigit, parseOkpo } from '@/lib/okpo'
import { useLocale } from '@/lib/use-locale'
import { MoneyField } from '@/ui/money-field'
import { BudgetCodeField, IbanField, OkpoField } from '@/ui/requisites-fields'
import { TextField } from '@/ui/text-field'

import { ListSelect } from '../list-select'
import type { PaymentLists } from '../list'
import { idOfOwn } from '../own-recipients'
import { losesTyped, withTemplate } from './fill-template'
import type { PaymentFields, PaymentValues } from '../values'
import { PurposeField } from './purpose-field'
import { SaveRecipient } from './save-recipient'

interface RequisitesFieldsProps {
  readonly form: PaymentFields
  readonly templates: PaymentLists['templates']
  readonly notaryCode: string
  /** Called with the earlier values where a template has replaced something typed. */
  readonly onReplaced: (earlier: PaymentValues) => void
}

/** A payment to any requisites, filled from a template or typed by hand. */
export function RequisitesFields({ form, templates, notaryCode, onReplaced }: RequisitesFieldsProps) {
  const { t } = useLingui()
  const okpo = parseOkpo(form.values.okpo)
  return (
    <>
      <TemplateSelect form={form} templates={templates} onReplaced={onReplaced} />
      <div className="grid items-start gap-x-4 gap-y-5 @xl:grid-cols-[minmax(0,1fr)_17rem]">
        <TextField {...form.text('recipientName')} label={t`Назва отримувача`} autoComplete="off" />
        <OkpoField
          {...form.text('okpo')}
          label={t`Код отримувача (ЄДРПОУ або РНОКПП)`}
          className="sm:max-w-80"
          onBlur={() => form.check('okpo')}
          caution={
            okpo.ok && okpoHasWrongCheckDigit(okpo.value) && t`Контрольна цифра не збігається. Перевірте код`
          }
        />
      </div>
      <AccountFields form={form} />
      <PurposeField form={form} notaryCode={notaryCode} />
      <MoneyField
        {...form.text('amount')}
        label={t`Сума`}
        onBlur={() => form.check('amount')}
        className="sm:max-w-64"
      />
      <SaveRecipient form={form} templates={templates} />
    </>
  )
}

/** The account, and the code that a budget account needs. */
function AccountFields({ form }: Pick<RequisitesFieldsProps, 'form'>) {
  const { t } = useLingui()
  const { values } = form
  const iban = parseIban(values.iban)
  return (
    <>
      <IbanField
        {...form.text('iban')}
        label={t`Рахунок IBAN отримувача`}
        onBlur={() => {
          form.check('iban')
          // They belong to the account.
          form.check('okpo')
          form.check('budgetCode')
        }}
        caution={
          iban.ok && hasCyrillicCountryLetter(values.iban) && t`Кириличну А в «UA» прочитано як латинську`
        }
      />
      {isBudgetAccount(normaliseIban(values.iban)) && (
        <BudgetCodeField
          {...form.text('budgetCode')}
          label={t`Код класифікації доходів бюджету`}
          className="sm:max-w-80"
          hint={t`8 цифр, обов’язковий для бюджетного рахунку`}
          onBlur={() => form.check('budgetCode')}
        />
      )}
    </>
  )
}

/** The template, which fills in the other fields. */
function TemplateSelect({ form, templates, onReplaced }: Omit<RequisitesFieldsProps, 'notaryCode'>) {
  const { t } = useLingui()
  const locale = useLocale()
  const { values } = form

  function chooseTemplate(id: string) {
    const template = templates.entries.find((each) => each.id === id)
    // What the template has filled in stays: it may have been edited since.
    if (template === undefined) return form.change({ templateId: '' })
    const before = templates.entries.find((each) => each.id === values.templateId)
    form.change((current) => withTemplate(current, template, locale, before))
    if (losesTyped(values, withTemplate(values, template, locale, before), locale, before)) onReplaced(values)
  }

  return (
    <ListSelect
      {...form.text('templateId')}
      label={t`Шаблон платежу`}
      optional
      hint={t`Заповнює дані отримувача, рахунок і призначення`}
      list={templates}
      toOption={({ id, title }) => ({
        value: id,
        label: idOfOwn(id) === null ? title : t`${title} – з довідника`,
      })}
      onValueChange={chooseTemplate}
      emptyText={t`Шаблонів ще немає: заповніть поля нижче`}
    />
  )
}
