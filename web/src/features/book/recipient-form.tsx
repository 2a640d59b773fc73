import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'

import { saveRecipient, type OwnRecipient, type SaveRecipientRequest } from '@/api/address-book'
import { bookKey } from '@/api/book-key'
import { queryClient } from '@/api/query-client'
import { userQuery } from '@/api/user'
import { Failed } from '@/forms/failed'
import { FormShell } from '@/forms/form-shell'
import { readFields } from '@/forms/read-fields'
import type { FormFields } from '@/forms/use-form'
import { useKeptForm } from '@/forms/use-kept-form'
import { parseBudgetCode } from '@/lib/budget-code'
import { groupIban, isBudgetAccount, normaliseIban, parseIban } from '@/lib/iban'
import { parseLine } from '@/lib/line'
import { parseOkpo } from '@/lib/okpo'
import { PURPOSE_CHARS_MAX } from '@/lib/purpose-chars-max'
import { ok } from '@/lib/result'
import { countCharacters } from '@/lib/text'
import { Button } from '@/ui/button'
import { Notice } from '@/ui/notice'
import { BudgetCodeField, IbanField, OkpoField } from '@/ui/requisites-fields'
import { TextArea } from '@/ui/text-area'
import { TextField } from '@/ui/text-field'
import { showToast } from '@/ui/toast'

interface RecipientValues {
  readonly title: string
  readonly recipientName: string
  readonly okpo: string
  readonly iban: string
  readonly budgetCode: string
  readonly purpose: string
}

const FIELD_OF_WIRE: Readonly<Record<string, keyof RecipientValues>> = {
  title: 'title',
  recipient_name: 'recipientName',
  okpo: 'okpo',
  iban: 'iban',
  cbc_code: 'budgetCode',
  purpose: 'purpose',
}

/** The marks that a payment replaces by its client. */
const NAME_MARK = '{clientName}'
const CODE_MARK = '{clientIPN}'

function readRecipient(id: string, values: RecipientValues) {
  const read = readFields({
    title: parseLine(values.title, 'field_required'),
    recipientName: parseLine(values.recipientName, 'recipient_name_required'),
    okpo: parseOkpo(values.okpo),
    iban: parseIban(values.iban),
    budgetCode: isBudgetAccount(normaliseIban(values.iban)) ? parseBudgetCode(values.budgetCode) : ok(null),
  })
  if (!read.ok) return read
  const { title, recipientName, okpo, iban, budgetCode } = read.value
  const request: SaveRecipientRequest = {
    id,
    title,
    recipient_name: recipientName,
    okpo,
    iban,
    cbc_code: budgetCode,
    purpose: values.purpose,
  }
  return ok(request)
}

interface RecipientFormProps {
  readonly recipient: OwnRecipient
  readonly onClose: () => void
}

/** Changes a saved recipient. */
export function RecipientForm({ recipient, onClose }: RecipientFormProps) {
  const { t } = useLingui()
  const { data: notary } = useSuspenseQuery(userQuery())
  const form = useKeptForm<RecipientValues, SaveRecipientRequest, unknown>(notary.id, {
    name: `recipient-${recipient.id}`,
    initial: () => ({
      title: recipient.title,
      recipientName: recipient.recipient_name,
      okpo: recipient.okpo,
      iban: groupIban(recipient.iban),
      budgetCode: recipient.cbc_code ?? '',
      purpose: recipient.purpose ?? '',
    }),
    read: (values) => readRecipient(recipient.id, values),
    submit: saveRecipient,
    onSent: () => {
      showToast({ text: t`Зміни збережено!` })
      onClose()
      void queryClient.invalidateQueries({ queryKey: bookKey.recipients })
    },
    fieldOf: (wireName) => FIELD_OF_WIRE[wireName] ?? null,
  })
  return (
    <FormShell
      form={form}
      first="title"
      label={t`Збережений отримувач`}
      failed={<Failed failure={form.failure} />}
      submit={<Trans>Зберегти</Trans>}
      cancel={<Trans>Скасувати</Trans>}
      onClose={onClose}
    >
      {form.continued !== null && (
        <ContinuedNotice
          {...form.continued}
          giveUp={() => {
            form.continued?.giveUp()
            form.focus('title')
          }}
        />
      )}
      <Fields form={form} />
    </FormShell>
  )
}

function Fields({ form }: { readonly form: FormFields<RecipientValues> }) {
  const { t } = useLingui()
  return (
    <>
      <TextField {...form.text('title')} label={t`Назва в довіднику`} autoComplete="off" />
      <TextField {...form.text('recipientName')} label={t`Назва отримувача`} autoComplete="off" />
      <OkpoField
        {...form.text('okpo')}
        label={t`Код отримувача (ЄДРПОУ або РНОКПП)`}
        className="sm:max-w-80"
      />
      <IbanField {...form.text('iban')} label={t`Рахунок IBAN отримувача`} />
      {isBudgetAccount(normaliseIban(form.values.iban)) && (
        <BudgetCodeField
          {...form.text('budgetCode')}
          label={t`Код класифікації доходів бюджету`}
          className="sm:max-w-80"
        />
      )}
      <TextArea
        {...form.text('purpose')}
        optional
        label={t`Призначення платежу`}
        hint={t`Замість ${NAME_MARK} і ${CODE_MARK} у платежі стануть ім’я та код клієнта`}
        limit={PURPOSE_CHARS_MAX}
        length={countCharacters(form.values.purpose)}
      />
    </>
  )
}

interface ContinuedNoticeProps {
  /** The saved recipient has changed since. */
  readonly isOverOlder: boolean
  readonly giveUp: () => void
}

/** Says that what was typed earlier has come back. */
function ContinuedNotice({ isOverOlder, giveUp }: ContinuedNoticeProps) {
  return (
    <Notice
      tone={isOverOlder ? 'warn' : 'info'}
      title={<Trans>Продовжено незбережені зміни</Trans>}
      actions={
        <Button size="small" onClick={giveUp}>
          <Trans>Повернути збережені дані</Trans>
        </Button>
      }
    >
      <Trans>Цього отримувача ви почали змінювати раніше й не зберегли.</Trans>
      {isOverOlder && (
        <>
          {' '}
          <Trans>Відтоді збережені дані змінилися. Перевірте всі поля перед збереженням.</Trans>
        </>
      )}
    </Notice>
  )
}
