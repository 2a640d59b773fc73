import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'

import { latestClientsQuery, type KnownClient } from '@/api/latest-clients'
import type { DealParty } from '@/api/deals'
import { messageText } from '@/i18n/message-texts'
import { hasWrongCheckDigit, isSameDigits, parseClientCode } from '@/lib/client-code'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/text-field'

import { clientOf } from './pasted-client'
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
      <KnownClients form={form} party={party} payers={payers} onTaken={() => goOnAfter(fields.current)} />
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        <TextField
          {...nameProps}
          label={t`Прізвище, ім’я, по батькові або назва`}
          enterKeyHint="next"
          onPaste={(event) => {
            const pasted = clientOf(event.clipboardData.getData('text'))
            if (pasted === null) return
            event.preventDefault()
            form.change({ [nameField(party)]: pasted.name, [codeField(party)]: pasted.code })
          }}
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

/** Gives the focus to the next party, or to the button once all are named: the pressed button is gone. */
function goOnAfter(fields: HTMLFieldSetElement | null) {
  const next = fields?.nextElementSibling
  const submit = fields?.form?.querySelector<HTMLElement>('button[type="submit"]')
  const target = next instanceof HTMLElement ? next : submit
  target?.focus()
}

/** Clients that are offered at most. */
const OFFERED_MAX = 4

/** Letters of a name or digits of a code from which clients are looked for. */
const SOUGHT_MIN = 2

/** Offers known clients to a party: the latest ones, or those that fit what is being typed. */
function KnownClients({
  form,
  party,
  payers,
  onTaken,
}: PartiesProps & {
  readonly party: DealParty
  /** The offer with the pressed button disappears, so the focus has to move. */
  readonly onTaken: () => void
}) {
  const { t, i18n } = useLingui()
  const { data: clients = [] } = useQuery(latestClientsQuery())
  const [name, code] = [nameField(party), codeField(party)].map((field) => valueOf(form.values, field).trim())
  const offered = fittingClients(clients, { name: name ?? '', code: code ?? '' })
    .filter(({ inn }) => payers.every((other) => valueOf(form.values, codeField(other)) !== inn))
    .slice(0, OFFERED_MAX)
  if (offered.length === 0) return null
  return (
    <div
      role="group"
      aria-label={t`Відомі клієнти: ${i18n._(partyNames[party])}`}
      className="flex flex-col gap-2"
    >
      <p aria-hidden="true" className="text-sm text-ink-soft">
        <Trans>Відомі клієнти</Trans>
      </p>
      <div className="flex flex-wrap gap-2">
        {offered.map((client) => (
          <Button
            key={`${client.inn} ${client.full_name}`}
            size="small"
            onClick={() => {
              form.change({ [nameField(party)]: client.full_name, [codeField(party)]: client.inn })
              onTaken()
            }}
          >
            <span className="min-w-0 wrap-anywhere">
              {client.full_name}, <span className="tabular-nums">{client.inn}</span>
            </span>
          </Button>
        ))}
      </div>
    </div>
  )
}

/** The clients that fit a beginning of a name or of a code; all of them while nothing is typed, nobody once both are. */
function fittingClients(
  clients: readonly KnownClient[],
  typed: { readonly name: string; readonly code: string },
): readonly KnownClient[] {
  const [name, code] = [typed.name.toLocaleLowerCase('uk'), typed.code.toUpperCase()]
  if (name === '' && code === '') return clients
  if ((name !== '' && code !== '') || name.length + code.length < SOUGHT_MIN) return []
  return code === ''
    ? clients.filter(({ full_name: full }) => full.toLocaleLowerCase('uk').startsWith(name))
    : clients.filter(({ inn }) => inn.startsWith(code))
}
