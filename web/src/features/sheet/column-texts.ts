import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The columns in the order of the template, as their headings call them. */
export const columnTexts: Readonly<Record<string, MessageDescriptor>> = {
  payment_type: msg`Вид платежу`,
  inn: msg`Код клієнта`,
  full_name: msg`Клієнт`,
  option: msg`Послуга або шаблон`,
  term: msg`Строк`,
  region: msg`Регіон`,
  recipient: msg`Отримувач`,
  iban: msg`Рахунок IBAN отримувача`,
  okpo: msg`Код отримувача`,
  cbc_code: msg`Код класифікації доходів бюджету`,
  purpose: msg`Призначення платежу`,
  amount: msg`Сума, грн`,
  count: msg`Кількість`,
}

export const columns: readonly string[] = Object.keys(columnTexts)

/** Columns that a fee takes nothing from: its sum and its accounts come from the tables of the cabinet. */
export const notOfFees: ReadonlySet<string> = new Set(['iban', 'okpo', 'cbc_code', 'purpose', 'amount'])

/** Columns that only fees have. */
export const onlyOfFees: ReadonlySet<string> = new Set(['term', 'region'])

/** Columns whose text decides what the choices of other columns are. */
export const deciding: readonly string[] = ['payment_type', 'option', 'term', 'region']
