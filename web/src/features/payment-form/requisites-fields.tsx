import { Trans, useLingui } from '@lingui/react/macro'
import { useRef } from 'react'

import { parseClientCode } from '@/lib/client-code'
import { hasCyrillicCountryLetter, isBudgetAccount, normaliseIban, parseIban } from '@/lib/iban'
import { okpoHasWrongCheckDigit, parseOkpo } from '@/lib/okpo'
import { budgetForm, namesPayer, PURPOSE_CHARS_MAX, withPayerCode } from '@/lib/purpose'
import { countCharacters, plainLine } from '@/lib/text'
import { Button } from '@/ui/button'
import { MaskedField } from '@/ui/masked-field'
import { digitsMask, ibanMask } from '@/ui/masks'
import { MoneyField } from '@/ui/money-field'
import { TextArea } from '@/ui/text-area'
import { TextField } from '@/ui/text-field'

import { errorText, fieldId, ibanErrorText } from './field-texts'
import type { PaymentFormState } from './form-state'
import { ListSelect } from './list-select'
import type { PaymentLists } from './lists'
import { payerCodes } from './rules'
import { losesTyped, withTemplate } from './template'
import type { PaymentValues } from './values'

const okpoMask = digitsMask(10)
const budgetCodeMask = digitsMask(8)

interface RequisitesFieldsProps {
  readonly form: PaymentFormState
  readonly templates: PaymentLists['templates']
  readonly notaryCode: string
  /** A template has taken the place of something typed. */
  readonly onReplaced: (earlier: PaymentValues) => void
}

/** A payment to any requisites: a template or typed by hand. */
export function RequisitesFields({ form, templates, notaryCode, onReplaced }: RequisitesFieldsProps) {
  const { t, i18n } = useLingui()
  const locale = i18n.locale === 'en' ? 'en' : 'uk'
  const { values, errors } = form
  const okpo = parseOkpo(values.okpo)
  const iban = parseIban(values.iban)
  const set = (change: Partial<PaymentValues>) => form.change((current) => ({ ...current, ...change }))

  function chooseTemplate(id: string) {
    const template = templates.entries.find((each) => each.id === id)
    // Without a template what it has filled stays: it may have been worked on since.
    if (template === undefined) return set({ templateId: '' })
    const before = templates.entries.find((each) => each.id === values.templateId)
    form.change((current) => withTemplate(current, template, locale, before))
    if (losesTyped(values, withTemplate(values, template, locale, before), locale, before)) onReplaced(values)
  }

  return (
    <>
      <ListSelect
        id={fieldId('templateId')}
        label={t`Шаблон платежу`}
        optional
        hint={t`Заповнює дані отримувача, рахунок і призначення`}
        list={templates}
        toOption={({ id, title }) => ({ value: id, label: title })}
        value={values.templateId}
        onValueChange={chooseTemplate}
        emptyText={t`Шаблонів ще немає: заповніть поля нижче`}
        error={errorText(errors, 'templateId')}
      />
      <TextField
        id={fieldId('recipientName')}
        label={t`Назва отримувача`}
        value={values.recipientName}
        onChange={({ target }) => set({ recipientName: target.value })}
        error={errorText(errors, 'recipientName')}
        autoComplete="off"
      />
      <MaskedField
        mask={okpoMask}
        id={fieldId('okpo')}
        label={t`Код отримувача (ЄДРПОУ або РНОКПП)`}
        inputMode="numeric"
        autoComplete="off"
        value={values.okpo}
        onValueChange={(text) => set({ okpo: text })}
        onBlur={() => form.check('okpo')}
        caution={
          okpo.ok && okpoHasWrongCheckDigit(okpo.value) && t`Контрольна цифра не збігається. Перевірте код`
        }
        error={errorText(errors, 'okpo')}
      />
      <MaskedField
        mask={ibanMask}
        long
        id={fieldId('iban')}
        label={t`Рахунок IBAN отримувача`}
        autoComplete="off"
        spellCheck={false}
        value={values.iban}
        onValueChange={(text) => set({ iban: text })}
        onBlur={() => form.check('iban')}
        caution={
          iban.ok && hasCyrillicCountryLetter(values.iban) && t`Кириличну А в «UA» прочитано як латинську`
        }
        error={ibanErrorText(errors, 'iban', values)}
      />
      {isBudgetAccount(normaliseIban(values.iban)) && (
        <MaskedField
          mask={budgetCodeMask}
          id={fieldId('budgetCode')}
          label={t`Код класифікації доходів бюджету`}
          hint={t`8 цифр, обов’язковий для бюджетного рахунку`}
          inputMode="numeric"
          autoComplete="off"
          value={values.budgetCode}
          onValueChange={(budgetCode) => set({ budgetCode })}
          onBlur={() => form.check('budgetCode')}
          error={errorText(errors, 'budgetCode')}
        />
      )}
      <PurposeField form={form} notaryCode={notaryCode} />
      <MoneyField
        id={fieldId('amount')}
        label={t`Сума`}
        value={values.amount}
        onValueChange={(amount) => set({ amount })}
        onBlur={() => form.check('amount')}
        error={errorText(errors, 'amount')}
        className="sm:max-w-64"
      />
    </>
  )
}

/** The purpose with what its rules ask for one click away. */
function PurposeField({
  form,
  notaryCode,
}: {
  readonly form: PaymentFormState
  readonly notaryCode: string
}) {
  const { t } = useLingui()
  const field = useRef<HTMLTextAreaElement>(null)
  const { values, errors } = form
  const purpose = plainLine(values.purpose)
  const budget = isBudgetAccount(normaliseIban(values.iban))
  const client = parseClientCode(values.clientCode)
  const payerCode = client.ok ? client.value.code : notaryCode
  const payerMissing = payerCode !== '' && !namesPayer(purpose, payerCodes(values, notaryCode))
  const formMissing = budget && budgetForm(purpose) === null
  const put = (text: string) => form.change((current) => ({ ...current, purpose: text }))
  const mend = (text: string) => {
    put(text)
    // The button goes with what was missing.
    field.current?.focus()
  }

  return (
    <div className="flex flex-col gap-2">
      <TextArea
        ref={field}
        id={fieldId('purpose')}
        label={t`Призначення платежу`}
        hint={
          budget
            ? t`Для рахунку Казначейства: тризначний код виду сплати, пробіл і текст, наприклад «101 Адміністративний збір за державну реєстрацію». У тексті має бути код клієнта або ваш код`
            : t`У тексті має бути код клієнта або ваш код`
        }
        value={values.purpose}
        onChange={({ target }) => put(target.value)}
        limit={PURPOSE_CHARS_MAX}
        length={countCharacters(purpose)}
        error={errorText(errors, 'purpose')}
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
