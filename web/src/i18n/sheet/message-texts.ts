/** The texts of the message keys of sheets of payments, and of statements of banks. */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MessageKey } from '@/api/failure'

export const sheetTexts = {
  sheet_unreadable: msg({
    id: 'sheet_unreadable',
    message: 'Файл не вдалося прочитати. Збережіть таблицю у форматі XLSX або CSV і виберіть її ще раз',
  }),
  sheet_headings_missing: msg({
    id: 'sheet_headings_missing',
    message:
      'У таблиці не знайдено назв стовпців. Скопіюйте рядки разом із назвами стовпців або заповніть шаблон',
  }),
  sheet_empty: msg({
    id: 'sheet_empty',
    message: 'У таблиці немає жодного платежу. Заповніть хоча б один рядок',
  }),
  sheet_too_large: msg({
    id: 'sheet_too_large',
    message: 'Таблиця завелика: за один раз можна додати до 200 платежів. Поділіть її на частини',
  }),
  sheet_row_added: msg({
    id: 'sheet_row_added',
    message: 'Такий платіж уже додано з таблиці за останні 30 днів',
  }),
  sheet_row_repeated: msg({ id: 'sheet_row_repeated', message: 'Такий платіж уже є в цій таблиці' }),
  statement_unreadable: msg({
    id: 'statement_unreadable',
    message: 'Файл не схожий на виписку. Завантажте з банку виписку camt.053 (XML) або таблицю Приват24',
  }),
  statement_too_large: msg({
    id: 'statement_too_large',
    message: 'Виписка завелика. Візьміть її за коротший строк',
  }),
  statement_other_account: msg({
    id: 'statement_other_account',
    message: 'Це виписка з іншого рахунку. Виберіть виписку з рахунку, зазначеного у вашій картці нотаріуса',
  }),
} satisfies Partial<Record<MessageKey, MessageDescriptor>>
