import { formatMoney, type Kopiykas } from '@/lib/money'
import { useLocale } from '@/lib/use-locale'
import { cx } from './cx'

export interface SumProps {
  readonly value: Kopiykas
  /** `big`: the main sum of a page, as large as its container allows. `total`: the sum of one of several documents. */
  readonly size?: 'text' | 'total' | 'big'
  readonly className?: string
}

const sizes = {
  text: '',
  total: 'text-xl font-semibold tracking-tight',
  big: 'text-sum font-semibold tracking-tight',
} as const

/** A sum in hryvnias with tabular figures, without line breaks. Where it is big, kopiykas and currency are in a quieter style. */
export function Sum({ value, size = 'text', className }: SumProps) {
  const locale = useLocale()
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

/** The width of a big sum in digits, for its font size: digits, group separators, and the smaller rest. */
function widthInEms(written: string): number {
  const whole = written.slice(0, -3)
  const digits = whole.replaceAll(/\D/gu, '').length
  return digits * 0.66 + (whole.length - digits) * 0.32 + 2.2
}
