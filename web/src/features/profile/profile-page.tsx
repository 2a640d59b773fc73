import { Loading } from '@/ui/spinner'

export default function ProfilePage() {
  return <Loading />
}
