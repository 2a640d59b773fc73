import { Trans } from '@lingui/react/macro'

import type { StaleFee as Stale } from '@/api/payment-types'
import { accountTexts } from '@/i18n/accounts/catalog'
import { loadCatalog, type Catalog } from '@/i18n/i18n'
import { civilDate } from '@/lib/dates'
import { Notice } from '@/ui/notice'

import { useToday } from '../use-today'
import { TreasuryStop } from './treasury-stop'

const texts: Catalog = {
  uk: () => import('./locales/uk.po'),
  en: () => import('./locales/en.po'),
}

/** Loads the part with its texts and that of `fee_of_last_year`. */
export async function loadYearNotices() {
  await Promise.all([loadCatalog(texts), loadCatalog(accountTexts)])
  return YearNotices
}

export interface YearNoticesProps {
  readonly feeYear: FeeYearProps | null
  readonly treasuryLastDay: string | null
}

/** What is to be said about the payment around the end of a year. */
function YearNotices({ feeYear, treasuryLastDay }: YearNoticesProps) {
  return (
    <>
      {feeYear !== null && <FeeYear {...feeYear} />}
      {treasuryLastDay !== null && <TreasuryStop lastDay={treasuryLastDay} />}
    </>
  )
}

/** What a fee says of its year: it is that of an earlier one, or from a day on will be. */
export interface FeeYearProps {
  readonly stale: Stale | null
  /** The 1 January from which it will be. */
  readonly outdatedFrom: string | null
}

/** Says beside the price that the fee is that of an earlier year, or in December that the next year's is not known. */
function FeeYear({ stale, outdatedFrom }: FeeYearProps) {
  if (stale !== null) return <StaleFee stale={stale} />
  return outdatedFrom !== null && <AwaitedFee year={outdatedFrom.slice(0, 4)} />
}

function AwaitedFee({ year }: { readonly year: string }) {
  return (
    <Notice tone="info" announce title={<Trans>Суму збору на {year} рік ще не завантажено</Trans>}>
      <Trans>
        Якщо заяву подаватимуть у {year} році, збір може бути іншим і різницю доведеться доплатити.
      </Trans>
    </Notice>
  )
}

/** Says beside the price that the fee is that of an earlier year, and whether it can still be paid. */
function StaleFee({ stale }: { readonly stale: Stale }) {
  const today = useToday()
  const year = stale.valid_from.slice(0, 4)
  const thisYear = today.slice(0, 4)
  const refusedFrom = stale.refused_from === null ? null : civilDate(stale.refused_from)
  if (stale.refused_from !== null && stale.refused_from <= today) {
    return (
      <Notice tone="warn" announce title={<Trans>Сплату зупинено</Trans>}>
        <Trans>
          Відома лише сума збору на {year} рік. Сплата відновиться, коли буде завантажено суми на {thisYear}{' '}
          рік. Зверніться до служби підтримки.
        </Trans>
      </Notice>
    )
  }
  return (
    <Notice tone="info" announce title={<Trans>Це сума збору на {year} рік</Trans>}>
      <p>
        <Trans>
          Суму на {thisYear} рік ще не завантажено. Якщо збір уже змінився, різницю доведеться доплатити.
        </Trans>
      </p>
      {refusedFrom !== null && (
        <p>
          <Trans>Із {refusedFrom} сплату за сумою попереднього року буде зупинено.</Trans>
        </p>
      )}
    </Notice>
  )
}
