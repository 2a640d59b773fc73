import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'

import { lastClientQuery } from '@/api/cart'
import type { DealParty } from '@/api/deals'
import { messageText } from '@/i18n/message-texts'
import { hasWrongCheckDigit, isSameDigits, parseClientCode } from '@/lib/client-code'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/text-field'

import { partyNames } from './party-names'
import { textOf, type DealForm } from './use-deal'
import { codeField, nameField, valueOf } from './values'

interface PartiesProps {
  readonly form: DealForm
  readonly payers: readonly DealParty[]
}

/** Name and code of everybody who pays. */
export function Parties({ form, payers }: PartiesProps) {
  return (
    <div className="flex flex-col gap-8">
      {payers.map((party) => (
        <Party key={party} form={form} party={party} payers={payers} />
      ))}
    </div>
  )
}

function Party({ form, party, payers }: PartiesProps & { readonly party: DealParty }) {
  const { t, i18n } = useLingui()
  const fields = useRef<HTMLFieldSetElement>(null)
  const nameProps = textOf(form, nameField(party))
  const codeProps = textOf(form, codeField(party))
  const code = parseClientCode(codeProps.value)
  const read = code.ok ? code.value.code : ''
  const caution = !code.ok
    ? null
    : code.value.latinReplaced
      ? t`Латинські літери прочитано як кириличні: ${read}`
      : hasWrongCheckDigit(code.value)
        ? t`Контрольна цифра не збігається. Перевірте код; якщо він саме такий, продовжуйте`
        : null
  return (
    <fieldset ref={fields} tabIndex={-1} className="flex min-w-0 flex-col gap-4 outline-offset-8">
      <legend className="mb-3 font-semibold">{i18n._(partyNames[party])}</legend>
      <LastClient form={form} party={party} payers={payers} onTaken={() => fields.current?.focus()} />
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        <TextField
          {...nameProps}
          label={t`Прізвище, ім’я, по батькові або назва`}
          onBlur={() => form.check(nameField(party))}
          autoComplete="off"
        />
        <TextField
          {...codeProps}
          label={t`Код клієнта`}
          hint={t`РНОКПП – 10 цифр, ID-картка – 9 цифр, ЄДРПОУ – 8 цифр, паспорт – дві літери й 6 цифр`}
          onBlur={() => form.check(codeField(party))}
          caution={caution}
          error={isSameDigits(codeProps.value) ? messageText('client_inn_same_digits') : codeProps.error}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </div>
    </fieldset>
  )
}

/** Offers the client of the latest payment to a party without a name and a code, unless another party is that client. */
function LastClient({
  form,
  party,
  payers,
  onTaken,
}: PartiesProps & {
  readonly party: DealParty
  /** The offer with the pressed button disappears, so the focus has to move. */
  readonly onTaken: () => void
}) {
  const client = useQuery(lastClientQuery()).data
  if (client === null || client === undefined) return null
  const { full_name: name, inn } = client
  const isTyped = [nameField(party), codeField(party)].some((field) => valueOf(form.values, field) !== '')
  const isTaken = payers.some((other) => valueOf(form.values, codeField(other)) === inn)
  if (isTyped || isTaken) return null
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
          form.change({ [nameField(party)]: name, [codeField(party)]: inn })
          onTaken()
        }}
      >
        <Trans>Підставити</Trans>
      </Button>
    </div>
  )
}
