import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Seal } from '@/ui/seal'

/** The product's mark and name; leads to the payments. */
export function Brand() {
  return (
    <Link to="/" className="flex min-h-11 items-center gap-3 rounded-sm text-ink no-underline">
      <BrandMark />
    </Link>
  )
}

/** The same, leading nowhere. */
export function BrandMark() {
  return (
    <>
      <Seal size={34} />
      <span className="text-base leading-tight font-semibold tracking-tight max-[22rem]:sr-only">
        <Trans>Кабінет нотаріуса</Trans>
      </span>
    </>
  )
}
