import { Link } from '@tanstack/react-router'
import { BrandMark } from './brand-mark'

/** The product's mark and name; leads to the payments. */
export function Brand({ narrow = false }: { readonly narrow?: boolean }) {
  return (
    <Link to="/" className="flex min-h-11 items-center gap-3 rounded-sm text-ink no-underline">
      <BrandMark narrow={narrow} />
    </Link>
  )
}
