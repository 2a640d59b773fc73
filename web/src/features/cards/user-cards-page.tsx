import { Loading } from '@/ui/spinner'

export default function UserCardsPage() {
  return <Loading />
}
