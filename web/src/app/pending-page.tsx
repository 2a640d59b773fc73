import { Loading } from '@/ui/spinner'

/** A page on its way; shown only when it takes longer than a moment. */
export function PendingPage() {
  return <Loading />
}
