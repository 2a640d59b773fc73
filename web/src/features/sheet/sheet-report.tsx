import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'

import { failureText } from '@/i18n/message-texts'
import { Button } from '@/ui/button'
import { focusHeading } from '@/ui/focus-heading'
import { Notice } from '@/ui/notice'
import { RecordTable } from '@/ui/record-table'
import { Sheet } from '@/ui/sheet'
import { Sum } from '@/ui/sum'
import { useFocusAfter } from '@/ui/use-focus-after'

import { hasDoubtfulCode, isRight, stateOf, totalOf } from './rows'
import { SheetRowView } from './sheet-row'
import type { SheetOfPayments } from './use-sheet'

/** The sheet row by row: what is right and what is to be mended, and the button that adds what is right. */
export function SheetReport({ sheet }: { readonly sheet: SheetOfPayments }) {
  const { t, i18n } = useLingui()
  const { rows, unknownHeadings, adding, reading } = sheet
  const columns = [
    { label: t`Рядок` },
    { label: t`Платіж`, wide: true },
    { label: t`Клієнт` },
    { label: t`Сума`, align: 'end' },
    { label: t`Статус` },
    { label: t`Дії`, hidden: true },
  ] as const
  return (
    <>
      <Summary sheet={sheet} />
      {unknownHeadings.length > 0 && (
        <Notice tone="info" title={<Trans>Деякі стовпці не прочитано</Trans>}>
          <Trans>
            Кабінет не знає таких назв: {unknownHeadings.join(', ')}. Назвіть стовпці так, як у шаблоні, якщо
            в них є дані платежів.
          </Trans>
        </Notice>
      )}
      {sheet.isUnknown ? (
        <Notice tone="error" title={<Trans>Невідомо, чи додано платежі</Trans>}>
          {adding.error !== null && <>{failureText(adding.error, i18n)}. </>}
          <Trans>Жоден платіж не додасться двічі, якщо натиснути кнопку ще раз.</Trans>
        </Notice>
      ) : (
        adding.error !== null && (
          <Notice tone="error" title={<Trans>До кошика нічого не додано</Trans>}>
            {failureText(adding.error, i18n)}
          </Notice>
        )
      )}
      {adding.error === null && reading.error !== null && (
        <Notice tone="error" title={<Trans>Рядок не перевірено</Trans>}>
          {failureText(reading.error, i18n)}
        </Notice>
      )}
      <Sheet>
        {/* What is changed while the rows are being added would not be what is in the cart. */}
        <fieldset disabled={adding.isPending} className="min-w-0 disabled:opacity-60">
          <RecordTable dense caption={t`Платежі з таблиці`} columns={columns}>
            {rows.map((row) => (
              <SheetRowView key={row.number} row={row} sheet={sheet} />
            ))}
          </RecordTable>
        </fieldset>
      </Sheet>
    </>
  )
}

/** How many rows are right, and what can be done with them. */
function Summary({ sheet }: { readonly sheet: SheetOfPayments }) {
  const { t } = useLingui()
  const { rows, adding, reading } = sheet
  const right = rows.filter(isRight).length
  const wrong = rows.filter((row) => stateOf(row) === 'wrong').length
  const changed = rows.filter((row) => stateOf(row) === 'changed').length
  const known = rows.length - right - wrong - changed
  const doubtful = rows.filter(hasDoubtfulCode).length
  const summary = useRef<HTMLDivElement>(null)
  // Not after a reload.
  const [isRead] = useState(!reading.isIdle)
  useFocusAfter(isRead, summary)
  return (
    <Sheet>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div ref={summary} tabIndex={-1} role="status" className="flex flex-col gap-1">
          <p className="text-lg font-semibold">
            <Plural
              value={right}
              one="# платіж без помилок"
              few="# платежі без помилок"
              many="# платежів без помилок"
              other="# платежу без помилок"
            />
            {right > 0 && (
              <>
                {' – '}
                <Sum value={totalOf(rows)} />
              </>
            )}
          </p>
          {wrong > 0 && (
            <p className="text-danger">
              <Plural
                value={wrong}
                one="# рядок треба виправити"
                few="# рядки треба виправити"
                many="# рядків треба виправити"
                other="# рядка треба виправити"
              />
            </p>
          )}
          {changed > 0 && (
            <p className="text-caution">
              <Plural
                value={changed}
                one="# рядок змінено, але не перевірено, тож не додається"
                few="# рядки змінено, але не перевірено, тож не додаються"
                many="# рядків змінено, але не перевірено, тож не додаються"
                other="# рядка змінено, але не перевірено, тож не додаються"
              />
            </p>
          )}
          {known > 0 && (
            <p className="text-caution">
              <Plural
                value={known}
                one="# рядок повторює інший платіж, тож не додається"
                few="# рядки повторюють інші платежі, тож не додаються"
                many="# рядків повторюють інші платежі, тож не додаються"
                other="# рядка повторюють інші платежі, тож не додаються"
              />
            </p>
          )}
          {doubtful > 0 && (
            <p className="text-caution">
              <Plural
                value={doubtful}
                one="У # рядку не збігається контрольна цифра коду – перевірте його"
                few="У # рядках не збігаються контрольні цифри кодів – перевірте їх"
                many="У # рядках не збігаються контрольні цифри кодів – перевірте їх"
                other="У # рядках не збігаються контрольні цифри кодів – перевірте їх"
              />
            </p>
          )}
        </div>
        <div className="actions">
          <Button
            variant="primary"
            icon="cart"
            loading={adding.isPending || reading.isPending}
            disabledReason={right === 0 ? t`Немає рядків без помилок` : null}
            onClick={() => sheet.add()}
          >
            {right === rows.length ? (
              <Trans>Додати всі до кошика</Trans>
            ) : (
              <Trans>Додати всі без помилок</Trans>
            )}
          </Button>
          <Button
            disabledReason={adding.isPending ? t`Платежі додаються до кошика` : null}
            onClick={() => {
              focusHeading()
              sheet.clear()
            }}
          >
            <Trans>Інша таблиця</Trans>
          </Button>
        </div>
      </div>
    </Sheet>
  )
}
