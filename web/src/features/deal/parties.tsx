import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'

import { offeredClientsQuery, type BookClient } from '@/api/client-search'
import { clientBookCatalog } from '@/forms/client-book/catalog'
import type { ClientChange } from '@/forms/client-book/client'
import { CodeBook } from '@/forms/client-book/code-book'
import { NameBook } from '@/forms/client-book/name-book'
import { loadCatalog } from '@/i18n/i18n'
import { messageText } from '@/i18n/message-texts'
import { hasWrongCheckDigit, isSameDigits, parseClientCode } from '@/lib/client-code'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/text-field'

import { clientOf as pastedClientOf } from './pasted-client'
import { payerName, type DealPayer } from './payers'
import { textOf, type DealForm } from './use-deal'
import { clientOf, codeField, nameField, valueOf, valuesOfChange, valuesOfClient } from './values'

export { openQuestion } from '@/forms/client-book/client'
export { Elsewhere } from './elsewhere'
export { Unanswered } from './unanswered'

/** Loads the texts of the address book. The page has loaded the others. */
export const loadTexts = () => loadCatalog(clientBookCatalog)

/** A party whose client is asked about, and how often sending was stopped by it. */
export interface Asked {
  readonly party: DealPayer
  readonly times: number
}

/** The id of the sentence about the codes of clients. */
const CODES = 'deal-codes'

interface PartiesProps {
  readonly form: DealForm
  readonly payers: readonly DealPayer[]
  /** The party whose client was asked about when the form was sent. */
  readonly asked: Asked | null
}

/** Name and code of everybody who pays. */
export function Parties({
  form,
  payers,
  asked,
  onShown,
}: PartiesProps & {
  readonly onShown: () => void
}) {
  const tell = useEffectEvent(onShown)
  useEffect(() => tell(), [])
  return (
    <div className="flex flex-col gap-2">
      <p id={CODES} className="text-sm text-ink-soft">
        <Trans>РНОКПП – 10 цифр, ID-картка – 9 цифр, ЄДРПОУ – 8 цифр, паспорт – дві літери й 6 цифр</Trans>
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 xl:grid-cols-2">
        {payers.map((party) => (
          <Party key={party} form={form} party={party} payers={payers} asked={asked} />
        ))}
      </div>
    </div>
  )
}

function Party({ form, party, payers, asked }: PartiesProps & { readonly party: DealPayer }) {
  const { i18n } = useLingui()
  const fields = useRef<HTMLFieldSetElement>(null)
  const name = payerName(party, payers, i18n)
  const offered = useOffered(form, party, payers)
  const take = (client: BookClient) => form.change(valuesOfClient(party, client))
  const book = {
    values: clientOf(form.values, party),
    onChange: (change: ClientChange) => form.change(valuesOfChange(party, change)),
    onTake: take,
  }
  return (
    <fieldset ref={fields} data-client tabIndex={-1} className="flex min-w-0 flex-col gap-2 outline-offset-8">
      <legend className="mb-1 flex flex-wrap items-baseline gap-x-3 font-semibold">
        {name}
        {offered.length > 0 && (
          <span aria-hidden="true" className="text-sm font-normal text-ink-soft">
            <Trans>Відомі клієнти</Trans>
          </span>
        )}
      </legend>
      {offered.length > 0 && (
        <LatestClients
          offered={offered}
          name={name}
          onTake={(client) => {
            take(client)
            goOnAfter(fields.current)
          }}
        />
      )}
      <div className="grid gap-x-6 gap-y-3 sm:grid-cols-[minmax(0,1fr)_9.5rem] sm:gap-x-4">
        <div className="relative flex flex-col gap-2">
          <NameField form={form} party={party} />
          <NameBook inputId={form.text(nameField(party)).id} {...book} />
        </div>
        <div className="relative flex flex-col gap-2">
          <CodeField form={form} party={party} />
          <CodeBook
            inputId={form.text(codeField(party)).id}
            asked={asked?.party === party ? asked.times : 0}
            {...book}
          />
        </div>
      </div>
    </fieldset>
  )
}

interface FieldProps {
  readonly form: DealForm
  readonly party: DealPayer
}

/** An error below a field that is left empty would move what is being pressed away from the finger; sending tells it. */
function checkTyped(form: DealForm, field: string) {
  if (valueOf(form.values, field).trim() !== '') form.check(field)
}

function NameField({ form, party }: FieldProps) {
  const { t } = useLingui()
  return (
    <TextField
      {...textOf(form, nameField(party))}
      data-client-name
      label={t`Прізвище, ім’я, по батькові або назва`}
      enterKeyHint="next"
      onPaste={(event) => {
        const pasted = pastedClientOf(event.clipboardData.getData('text'))
        if (pasted === null) return
        event.preventDefault()
        form.change({ [nameField(party)]: pasted.name, [codeField(party)]: pasted.code })
      }}
      onBlur={() => checkTyped(form, nameField(party))}
      autoComplete="off"
    />
  )
}

function CodeField({ form, party }: FieldProps) {
  const { t } = useLingui()
  const field = textOf(form, codeField(party))
  const code = parseClientCode(field.value)
  const read = code.ok ? code.value.code : ''
  const caution = !code.ok
    ? null
    : code.value.latinReplaced
      ? t`Латинські літери прочитано як кириличні: ${read}`
      : hasWrongCheckDigit(code.value)
        ? t`Контрольна цифра не збігається. Перевірте код; якщо він саме такий, продовжуйте`
        : null
  return (
    <TextField
      {...field}
      label={t`Код клієнта`}
      explainedBy={CODES}
      onBlur={() => checkTyped(form, codeField(party))}
      caution={caution}
      error={isSameDigits(field.value) ? messageText('client_inn_same_digits') : field.error}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
    />
  )
}

/** Gives the focus to the next party that is not named, or to the button once all are: the pressed button is gone. */
function goOnAfter(fields: HTMLFieldSetElement | null) {
  const parties = [...(fields?.parentElement?.querySelectorAll('fieldset') ?? [])]
  const after = parties.findIndex((party) => party === fields) + 1
  const isUnnamed = (party: HTMLElement) => party !== fields && party.querySelector('input')?.value === ''
  const next = [...parties.slice(after), ...parties.slice(0, after)].find(isUnnamed)
  const submit = fields?.form?.querySelector<HTMLElement>('button[type="submit"]')
  ;(next ?? submit)?.focus()
}

/** Clients that are offered at most. */
const OFFERED_MAX = 4

/** The latest clients, which are offered to a party while nothing is typed; then the lists of the fields offer who fits. */
function useOffered(form: DealForm, party: DealPayer, payers: readonly DealPayer[]): readonly BookClient[] {
  const { data: clients = [] } = useQuery(offeredClientsQuery(''))
  if (isNamed(form, party)) return []
  return clients
    .filter(({ inn }) => payers.every((other) => valueOf(form.values, codeField(other)) !== inn))
    .slice(0, OFFERED_MAX)
}

interface LatestClientsProps {
  readonly offered: readonly BookClient[]
  /** Whom they are offered to. */
  readonly name: string
  readonly onTake: (client: BookClient) => void
}

function LatestClients({ offered, name, onTake }: LatestClientsProps) {
  const { t } = useLingui()
  const isOnly = (client: BookClient) =>
    offered.every((other) => other === client || other.full_name !== client.full_name)
  return (
    <div role="group" aria-label={t`Відомі клієнти: ${name}`} className="flex flex-wrap gap-2">
      {offered.map((client) => (
        <Button
          key={client.id}
          size="small"
          aria-label={`${client.full_name}, ${client.inn}`}
          onClick={() => onTake(client)}
        >
          <span className="min-w-0 wrap-anywhere">
            {client.full_name}
            {/* Two clients may have the same name. */}
            {!isOnly(client) && <span className="tabular-nums">, {client.inn}</span>}
          </span>
        </Button>
      ))}
    </div>
  )
}

const isNamed = (form: DealForm, party: DealPayer) =>
  [nameField(party), codeField(party)].some((field) => valueOf(form.values, field).trim() !== '')
