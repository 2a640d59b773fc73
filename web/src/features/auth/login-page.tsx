import { Loading } from '@/ui/spinner'

export default function Page() {
  return <Loading />
}
