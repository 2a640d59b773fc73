import { Trans, useLingui } from '@lingui/react/macro'
import { useRef } from 'react'

import { parseClientCode } from '@/lib/client-code'
import { isBudgetAccount, normaliseIban } from '@/lib/iban'
import { hasBudgetForm, namesPayer, purposeInForce, withPayerCode } from '@/lib/purpose'
import { PURPOSE_CHARS_MAX } from '@/lib/purpose-chars-max'
import { countCharacters, plainLine } from '@/lib/text'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { TextArea } from '@/ui/text-area'

import type { PaymentFields, PaymentValues } from '../values'
import { payerCodes } from './read-typed-recipient'

interface PurposeFieldProps {
  readonly form: PaymentFields
  readonly notaryCode: string
}

/** The purpose, with buttons that add what its rules require. */
export function PurposeField({ form, notaryCode }: PurposeFieldProps) {
  const { t } = useLingui()
  const field = useRef<HTMLTextAreaElement>(null)
  const { values } = form
  const purpose = plainLine(values.purpose)
  const budget = isBudgetAccount(normaliseIban(values.iban))
  const inForce = budget ? purposeInForce(purpose) : null
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
      {inForce !== null && (
        <Notice
          tone="warn"
          announce
          title={<Trans>Ця форма призначення не діє з 01.12.2023. До кошика буде додано:</Trans>}
          actions={
            <Button size="small" onClick={() => mend(inForce)}>
              <Trans>Замінити в полі</Trans>
            </Button>
          }
        >
          <p className="break-words">{inForce}</p>
        </Notice>
      )}
      <MissingParts
        values={values}
        notaryCode={notaryCode}
        formMissing={budget && !hasBudgetForm(purpose)}
        onMend={mend}
      />
    </div>
  )
}

interface MissingPartsProps {
  readonly values: PaymentValues
  readonly notaryCode: string
  /** It lacks the code of the kind of payment. */
  readonly formMissing: boolean
  readonly onMend: (text: string) => void
}

/** Buttons that add what the purpose lacks. */
function MissingParts({ values, notaryCode, formMissing, onMend }: MissingPartsProps) {
  const purpose = plainLine(values.purpose)
  const client = parseClientCode(values.clientCode)
  const payerCode = client.ok ? client.value.code : notaryCode
  const payerMissing = payerCode !== '' && !namesPayer(purpose, payerCodes(values, notaryCode))
  if (!formMissing && !payerMissing) return null
  return (
    <div className="flex flex-wrap gap-2">
      {formMissing && (
        <Button size="small" icon="plus" onClick={() => onMend(`101 ${purpose}`)}>
          <Trans>Почати з «101»</Trans>
        </Button>
      )}
      {payerMissing && (
        <Button size="small" icon="plus" onClick={() => onMend(withPayerCode(values.purpose, payerCode))}>
          {client.ok ? (
            <Trans>Додати код клієнта {payerCode}</Trans>
          ) : (
            <Trans>Додати ваш код {payerCode}</Trans>
          )}
        </Button>
      )}
    </div>
  )
}
