import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'

import { lastClientQuery } from '@/api/cart'
import type { RequisitesTemplate } from '@/api/payment-types'
import { hasWrongCheckDigit, isSameDigits, parseClientCode } from '@/lib/client-code'
import { messageText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { Checkbox } from '@/ui/checkbox'
import { TextField } from '@/ui/text-field'

import { clientErrorText, fieldId } from './field-texts'
import type { PaymentFormState } from './form-state'
import { withClient } from './template'

interface ClientFieldsProps {
  readonly form: PaymentFormState
  /** The template the purpose was filled from: the purpose follows the client. */
  readonly template: RequisitesTemplate | undefined
}

/** For whom is paid. */
export function ClientFields({ form, template }: ClientFieldsProps) {
  const { t } = useLingui()
  const { values, errors } = form
  const fields = useRef<HTMLDivElement>(null)
  const code = parseClientCode(values.clientCode, { legalEntity: values.legalEntity })
  const read = code.ok ? code.value.code : ''
  const cautions = code.ok
    ? [
        code.value.latinReplaced && t`Латинські літери прочитано як кириличні: ${read}`,
        hasWrongCheckDigit(code.value) &&
          t`Контрольна цифра не збігається. Перевірте код; якщо він саме такий, продовжуйте`,
      ].filter((caution) => caution !== false)
    : []
  // Said at once and not only at the button: the button is disabled by it.
  const codeError = isSameDigits(values.clientCode)
    ? messageText('client_inn_same_digits')
    : clientErrorText(errors, 'clientCode', values)

  return (
    <div ref={fields} tabIndex={-1} className="flex flex-col gap-5 outline-offset-8">
      <LastClient form={form} template={template} onTaken={() => fields.current?.focus()} />
      <TextField
        id={fieldId('clientName')}
        label={values.legalEntity ? t`Назва юридичної особи` : t`Прізвище, ім’я, по батькові клієнта`}
        value={values.clientName}
        onChange={({ target }) =>
          form.change((current) => withClient(current, { clientName: target.value }, template))
        }
        error={clientErrorText(errors, 'clientName', values)}
        autoComplete="off"
        maxLength={200}
      />
      <TextField
        id={fieldId('clientCode')}
        label={values.legalEntity ? t`Код ЄДРПОУ` : t`Код клієнта`}
        hint={
          values.legalEntity
            ? t`8 цифр`
            : t`РНОКПП – 10 цифр, ID-картка – 9 цифр, ЄДРПОУ – 8 цифр, паспорт – дві літери й 6 цифр`
        }
        value={values.clientCode}
        onChange={({ target }) =>
          form.change((current) => withClient(current, { clientCode: target.value }, template))
        }
        onBlur={() => form.check('clientCode')}
        caution={cautions.length > 0 && cautions.join('. ')}
        error={codeError}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Checkbox
        id={fieldId('legalEntity')}
        label={t`Платник – юридична особа`}
        checked={values.legalEntity}
        onChange={({ target }) => form.change((current) => ({ ...current, legalEntity: target.checked }))}
      />
    </div>
  )
}

/** The client of the latest payment, one click away while nobody else is typed. */
function LastClient({
  form,
  template,
  onTaken,
}: ClientFieldsProps & {
  /** The offer goes with the press: what it has filled takes the focus over. */
  readonly onTaken: () => void
}) {
  const client = useQuery(lastClientQuery()).data
  if (client === null || client === undefined) return null
  if (form.values.clientName !== '' || form.values.clientCode !== '') return null
  const { full_name: name, inn } = client
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-dashed border-edge px-4 py-3">
      <p className="min-w-0">
        <span className="caption-line block">
          <Trans>Попередній клієнт</Trans>
        </span>
        <span className="font-medium">{name}</span>, <span className="tabular-nums">{inn}</span>
      </p>
      <Button
        size="small"
        onClick={() => {
          form.change((current) => withClient(current, { clientName: name, clientCode: inn }, template))
          onTaken()
        }}
      >
        <Trans>Підставити</Trans>
      </Button>
    </div>
  )
}
