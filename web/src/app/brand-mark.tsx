import { Trans } from '@lingui/react/macro'
import { Seal } from '@/ui/seal'

/** The product's mark and name. */
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
