import { useClientLink, type MadeClientLink } from '@/api/client-link'

import { SendLink } from './send-link'

interface SendMadeProps {
  readonly orderId: string
  readonly made: MadeClientLink
}

/** Sends a link that was made a moment ago. */
export function SendMade({ orderId, made }: SendMadeProps) {
  const { link, send } = useClientLink(orderId, false)
  return <SendLink link={link.data ?? made.link} token={made.token} send={send} />
}
