import { useLingui } from '@lingui/react/macro'
import { formatMoney, type Kopiykas } from '@/lib/money'
import { cx } from './cx'

export interface SumProps {
  readonly value: Kopiykas
  /** `big`: the largest thing on the page, where the sum decides, as large as its place allows. `total`: of one document of several. */
  readonly size?: 'text' | 'total' | 'big'
  readonly className?: string
}

const sizes = {
  text: '',
  total: 'text-xl font-semibold tracking-tight',
  big: 'text-sum font-semibold tracking-tight',
} as const

/** A sum in hryvnias: tabular figures, never broken, kopiykas and currency in a quieter voice where it is big. */
export function Sum({ value, size = 'text', className }: SumProps) {
  const { i18n } = useLingui()
  const locale = i18n.locale === 'en' ? 'en' : 'uk'
  const written = formatMoney(value, locale)
  const currency = locale === 'uk' ? 'грн' : 'UAH'
  const quiet = size === 'big' ? 'text-[0.5em] font-medium text-ink-soft tracking-normal' : ''
  const sum = (
    <span
      className={cx('whitespace-nowrap tabular-nums', sizes[size], className)}
      style={
        size === 'big' ? { fontSize: `min(var(--text-sum), 100cqi / ${widthInEms(written)})` } : undefined
      }
    >
      {written.slice(0, -3)}
      <span className={quiet}>
        {written.slice(-3)}&nbsp;{currency}
      </span>
    </span>
  )
  return size === 'big' ? <span className="@container block">{sum}</span> : sum
}

/** How wide a big sum is in its own letters: a digit, a space between groups, and the quiet rest. */
function widthInEms(written: string): number {
  const whole = written.slice(0, -3)
  const digits = whole.replaceAll(/\D/gu, '').length
  return digits * 0.66 + (whole.length - digits) * 0.32 + 2.2
}
