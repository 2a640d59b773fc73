import { Trans } from '@lingui/react/macro'

import { loadIncomeBook, loadTaxes, type Days } from '@/api/reports'
import { useDownloads } from '@/api/use-download'
import { Failed } from '@/forms/failed'
import { Button } from '@/ui/button'
import { Sheet } from '@/ui/sheet'

import { quarterOf } from './periods'

const ROMAN: Readonly<Record<string, string>> = { 1: 'I', 2: 'II', 3: 'III', 4: 'IV' }

interface BooksProps {
  readonly days: Days
  /** Whether the notary has a share in fees, which is what the income book is of. */
  readonly hasShare: boolean
}

/** The books as spreadsheets. */
export function Books({ days, hasShare }: BooksProps) {
  const { start, running, failure } = useDownloads()
  const quarter = quarterOf(days.to)
  const [year = '', number = ''] = quarter.split('-Q')
  const roman = ROMAN[number] ?? number
  const month = days.to.slice(0, 7)
  const monthShown = `${month.slice(5)}.${month.slice(0, 4)}`
  return (
    <Sheet heading={<Trans>Таблиці для обліку</Trans>}>
      <div className="flex flex-col gap-5">
        {hasShare && (
          <div className="flex flex-col items-start gap-2">
            <p className="text-ink-soft">
              <Trans>
                Облік доходів: ваші 60 % за днем зарахування, повернення та комісії, з підсумками за місяць,
                квартал і рік. Які витрати визнати, вирішує бухгалтер.
              </Trans>
            </p>
            <Button
              icon="download"
              loading={running.has('income')}
              onClick={() => start({ name: 'income', load: () => loadIncomeBook(days) })}
            >
              <Trans>Облік доходів за період</Trans>
            </Button>
          </div>
        )}
        <div className="flex flex-col items-start gap-2">
          <p className="text-ink-soft">
            <Trans>
              Для додатка 4ДФ: податок на доходи й військовий збір за клієнтів, з ціною дій, розрахованих у
              кабінеті, також зі ставкою 0 %. Це допоміжна таблиця, а не звіт.
            </Trans>
          </p>
          <div className="flex flex-wrap gap-3">
            <Button
              icon="download"
              loading={running.has('taxes')}
              onClick={() => start({ name: 'taxes', load: () => loadTaxes({ month }) })}
            >
              <Trans>Податки за {monthShown}</Trans>
            </Button>
            <Button
              icon="download"
              loading={running.has('taxes-of-quarter')}
              onClick={() => start({ name: 'taxes-of-quarter', load: () => loadTaxes({ quarter }) })}
            >
              <Trans>
                Податки за {roman} квартал {year} року
              </Trans>
            </Button>
          </div>
        </div>
        <Failed failure={failure} title={<Trans>Таблицю не завантажено</Trans>} />
      </div>
    </Sheet>
  )
}
