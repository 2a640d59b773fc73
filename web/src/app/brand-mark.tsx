import { Trans } from '@lingui/react/macro'
import { cx } from '@/ui/cx'
import { Seal } from '@/ui/seal'

interface BrandMarkProps {
  /** A phone has room for the mark alone, beside the cart, the languages and the menu. */
  readonly narrow?: boolean
}

/** The product's mark and name. */
export function BrandMark({ narrow = false }: BrandMarkProps) {
  return (
    <>
      <Seal size={34} />
      <span
        className={cx(
          'text-base leading-tight font-semibold tracking-tight',
          narrow ? 'max-[27rem]:sr-only' : 'max-[22rem]:sr-only',
        )}
      >
        <Trans>Кабінет нотаріуса</Trans>
      </span>
    </>
  )
}
