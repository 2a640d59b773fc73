import { Trans, useLingui } from '@lingui/react/macro'
import { useRef } from 'react'

import { parseClientCode } from '@/lib/client-code'
import { hasCyrillicCountryLetter, isBudgetAccount, normaliseIban, parseIban } from '@/lib/iban'
import { okpoHasWrongCheckDigit, parseOkpo } from '@/lib/okpo'
import { budgetForm, namesPayer, PURPOSE_CHARS_MAX, withPayerCode } from '@/lib/purpose'
import { countCharacters, plainLine } from '@/lib/text'
import { useLocale } from '@/lib/use-locale'
import { Button } from '@/ui/button'
import { MaskedField } from '@/ui/masked-field'
import { digitsMask, ibanMask } from '@/ui/masks'
import { MoneyField } from '@/ui/money-field'
import { TextArea } from '@/ui/text-area'
import { TextField } from '@/ui/text-field'

import { ListSelect } from './list-select'
import type { PaymentLists } from './lists'
import { payerCodes } from './read-payment'
import { losesTyped, withTemplate } from './template'
import type { PaymentFields, PaymentValues } from './values'

const okpoMask = digitsMask(10)
const budgetCodeMask = digitsMask(8)

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
  const { values } = form
  const okpo = parseOkpo(values.okpo)
  const iban = parseIban(values.iban)

  return (
    <>
      <TemplateSelect form={form} templates={templates} onReplaced={onReplaced} />
      <TextField {...form.text('recipientName')} label={t`Назва отримувача`} autoComplete="off" />
      <MaskedField
        mask={okpoMask}
        {...form.text('okpo')}
        label={t`Код отримувача (ЄДРПОУ або РНОКПП)`}
        inputMode="numeric"
        autoComplete="off"
        onBlur={() => form.check('okpo')}
        caution={
          okpo.ok && okpoHasWrongCheckDigit(okpo.value) && t`Контрольна цифра не збігається. Перевірте код`
        }
      />
      <MaskedField
        mask={ibanMask}
        long
        {...form.text('iban')}
        label={t`Рахунок IBAN отримувача`}
        autoComplete="off"
        spellCheck={false}
        onBlur={() => form.check('iban')}
        caution={
          iban.ok && hasCyrillicCountryLetter(values.iban) && t`Кириличну А в «UA» прочитано як латинську`
        }
      />
      {isBudgetAccount(normaliseIban(values.iban)) && (
        <MaskedField
          mask={budgetCodeMask}
          {...form.text('budgetCode')}
          label={t`Код класифікації доходів бюджету`}
          hint={t`8 цифр, обов’язковий для бюджетного рахунку`}
          inputMode="numeric"
          autoComplete="off"
          onBlur={() => form.check('budgetCode')}
        />
      )}
      <PurposeField form={form} notaryCode={notaryCode} />
      <MoneyField
        {...form.text('amount')}
        label={t`Сума`}
        onBlur={() => form.check('amount')}
        className="sm:max-w-64"
      />
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
      toOption={({ id, title }) => ({ value: id, label: title })}
      onValueChange={chooseTemplate}
      emptyText={t`Шаблонів ще немає: заповніть поля нижче`}
    />
  )
}

/** The purpose, with buttons that add what its rules require. */
function PurposeField({ form, notaryCode }: { readonly form: PaymentFields; readonly notaryCode: string }) {
  const { t } = useLingui()
  const field = useRef<HTMLTextAreaElement>(null)
  const { values } = form
  const purpose = plainLine(values.purpose)
  const budget = isBudgetAccount(normaliseIban(values.iban))
  const client = parseClientCode(values.clientCode)
  const payerCode = client.ok ? client.value.code : notaryCode
  const payerMissing = payerCode !== '' && !namesPayer(purpose, payerCodes(values, notaryCode))
  const formMissing = budget && budgetForm(purpose) === null
  const mend = (text: string) => {
    form.change({ purpose: text })
    // The pressed button disappears, so the field takes the focus.
    field.current?.focus()
  }

  return (
    <div className="flex flex-col gap-2">
      <TextArea
        ref={field}
        {...form.text('purpose')}
        label={t`Призначення платежу`}
        hint={
          budget
            ? t`Для рахунку Казначейства: тризначний код виду сплати, пробіл і текст, наприклад «101 Адміністративний збір за державну реєстрацію». У тексті має бути код клієнта або ваш код`
            : t`У тексті має бути код клієнта або ваш код`
        }
        limit={PURPOSE_CHARS_MAX}
        length={countCharacters(purpose)}
      />
      {(formMissing || payerMissing) && (
        <div className="flex flex-wrap gap-2">
          {formMissing && (
            <Button size="small" icon="plus" onClick={() => mend(`101 ${purpose}`)}>
              <Trans>Почати з «101»</Trans>
            </Button>
          )}
          {payerMissing && (
            <Button size="small" icon="plus" onClick={() => mend(withPayerCode(values.purpose, payerCode))}>
              {client.ok ? (
                <Trans>Додати код клієнта {payerCode}</Trans>
              ) : (
                <Trans>Додати ваш код {payerCode}</Trans>
              )}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
