import { Loading } from '@/ui/spinner'

/** Shown while a page loads, after a short delay. */
export function PendingPage() {
  return <Loading />
}
