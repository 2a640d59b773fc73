import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState, type ChangeEvent } from 'react'

import { lastClientQuery } from '@/api/cart'
import type { RequisitesTemplate } from '@/api/payment-types'
import { hasWrongCheckDigit, isLegalEntityCode, isSameDigits, parseClientCode } from '@/lib/client-code'
import { messageText } from '@/i18n/message-texts'
import { compact } from '@/lib/text'
import { Button } from '@/ui/button'
import { Checkbox } from '@/ui/checkbox'
import { TextField, type TextFieldProps } from '@/ui/text-field'

import { CodeBook, NameBook } from './later-parts'
import { withClient } from './template'
import { valuesOfClient, type ClientFields as PaymentClientFields, type PaymentFields } from './values'

interface ClientFieldsProps {
  readonly form: PaymentFields
  /** The template that the purpose was filled from: it names the client. */
  readonly template: RequisitesTemplate | undefined
  /** Grows with each try to add the payment while a question about the client is open. */
  readonly asked: number
  /** Called after such a question was answered. */
  readonly onAnswered?: (() => void) | undefined
}

/** The fields of the client. */
export function ClientFields({ form, template, asked, onAnswered }: ClientFieldsProps) {
  const { t } = useLingui()
  const { values } = form
  const fields = useRef<HTMLDivElement>(null)
  const { box, tickByCode } = useLegalEntityBox(form, template)
  const nameField = form.text('clientName')
  const codeField = form.text('clientCode')
  const change = (client: Partial<PaymentClientFields>) =>
    form.change((current) => withClient(current, client, template))
  const book = {
    values,
    onChange: change,
    onTake: (client: Parameters<typeof valuesOfClient>[0]) => change(valuesOfClient(client)),
  }
  return (
    <div ref={fields} data-client tabIndex={-1} className="outline-offset-8">
      <div className="relative grid items-start gap-x-4 gap-y-2 @xl:grid-cols-[17rem_minmax(0,1fr)]">
        <CodeField
          {...codeField}
          values={values}
          onValueChange={(clientCode) => change({ clientCode })}
          onBlur={() => {
            tickByCode()
            form.check('clientCode')
          }}
        />
        <div className="flex min-w-0 flex-col">
          <TextField
            {...nameField}
            data-client-name
            label={values.legalEntity ? t`Назва юридичної особи` : t`Прізвище, ім’я, по батькові клієнта`}
            onValueChange={(clientName) => change({ clientName })}
            autoComplete="off"
          />
          <Checkbox {...box} label={t`Платник – юридична особа`} />
          {/* Beside the other field its place is kept, so that nothing moves when it goes. */}
          <div className="@xl:min-h-9">
            <LastClient form={form} template={template} onTaken={() => fields.current?.focus()} />
          </div>
        </div>
        {/* Their lists are as wide as both fields. */}
        <Suspense>
          <NameBook inputId={nameField.id} {...book} />
        </Suspense>
        <Suspense>
          <CodeBook inputId={codeField.id} asked={asked} onAnswered={onAnswered} {...book} />
        </Suspense>
      </div>
    </div>
  )
}

/** The box of a legal entity, which the code ticks unless it was ticked by hand. */
function useLegalEntityBox(form: PaymentFields, template: RequisitesTemplate | undefined) {
  const { values } = form
  const box = form.flag('legalEntity')
  // While nothing is typed and nothing ticked, nobody has decided about the box.
  const [tickedByHand, setTickedByHand] = useState(false)
  if (tickedByHand && values.clientCode === '' && !values.legalEntity) setTickedByHand(false)
  return {
    box: {
      ...box,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setTickedByHand(true)
        box.onChange(event)
      },
    },
    // Eight digits may be the beginning of ten, so this waits until the code is left.
    tickByCode: () => {
      const left = compact(values.clientCode)
      if (left !== '' && !tickedByHand)
        form.change((current) => withClient(current, { legalEntity: isLegalEntityCode(left) }, template))
    },
  }
}

interface CodeFieldProps extends Omit<TextFieldProps, 'label'> {
  readonly values: PaymentClientFields
}

/** The code of the client, with what is doubtful about it. */
function CodeField({ values, error, ...field }: CodeFieldProps) {
  const { t } = useLingui()
  const code = parseClientCode(values.clientCode, { legalEntity: values.legalEntity })
  const read = code.ok ? code.value.code : ''
  const cautions = code.ok
    ? [
        code.value.latinReplaced && t`Латинські літери прочитано як кириличні: ${read}`,
        hasWrongCheckDigit(code.value) &&
          t`Контрольна цифра не збігається. Перевірте код; якщо він саме такий, продовжуйте`,
      ].filter((caution) => caution !== false)
    : []
  return (
    <TextField
      {...field}
      label={values.legalEntity ? t`Код ЄДРПОУ` : t`Код клієнта`}
      hint={
        values.legalEntity
          ? t`8 цифр`
          : t`РНОКПП – 10 цифр, ID-картка – 9 цифр, ЄДРПОУ – 8 цифр, паспорт – дві літери й 6 цифр`
      }
      caution={cautions.length > 0 && cautions.join('. ')}
      // Shown at once, since it disables the button.
      error={isSameDigits(values.clientCode) ? messageText('client_inn_same_digits') : error}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      className="[&_input]:max-w-64 [&_p]:text-xs"
    />
  )
}

/** Offers the client of the latest payment while no other one is typed. */
function LastClient({
  form,
  template,
  onTaken,
}: Pick<ClientFieldsProps, 'form' | 'template'> & {
  /** The offer with the pressed button disappears, so the focus has to move. */
  readonly onTaken: () => void
}) {
  const client = useQuery(lastClientQuery()).data
  if (client === null || client === undefined) return null
  if (form.values.clientName !== '' || form.values.clientCode !== '') return null
  const { full_name: name, inn } = client
  return (
    <div className="flex min-w-0 items-center justify-between gap-3">
      <p className="min-w-0 text-sm leading-tight">
        <span className="block text-xs text-ink-soft">
          <Trans>Попередній клієнт</Trans>, <span className="tabular-nums">{inn}</span>
        </span>
        <span className="block truncate font-medium" title={name}>
          {name}
        </span>
      </p>
      <Button
        size="small"
        onClick={() => {
          form.change((current) => withClient(current, valuesOfClient(client), template))
          onTaken()
        }}
      >
        <Trans>Підставити</Trans>
      </Button>
    </div>
  )
}
