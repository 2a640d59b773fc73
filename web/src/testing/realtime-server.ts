/** A realtime server for tests of the browser side, with the frames of the protocol. */

interface Command {
  readonly id?: number
  readonly connect?: { readonly token: string }
  readonly subscribe?: {
    readonly channel: string
    readonly recover?: boolean
    readonly offset?: number
    readonly epoch?: string
  }
  readonly refresh?: { readonly token: string }
}

type Body = Readonly<Record<string, unknown>>

/** One connection. */
class Socket {
  static sockets: Socket[] = []

  onopen: (() => void) | null = null
  onerror: ((event: Event) => void) | null = null
  onclose: ((event: { code: number; reason: string }) => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  readonly commands: Command[] = []
  closed = false

  constructor(readonly url: string) {
    Socket.sockets.push(this)
    queueMicrotask(() => {
      if (realtimeServer.reachable) this.onopen?.()
      else this.close(1006)
    })
  }

  send(frame: string): void {
    for (const line of frame.split('\n')) {
      const command = JSON.parse(line) as Command
      this.commands.push(command)
      const reply = realtimeServer.answer(command)
      if (reply !== null) this.push({ id: command.id, ...reply })
    }
  }

  push(message: Body): void {
    queueMicrotask(() => {
      if (!this.closed) this.onmessage?.({ data: JSON.stringify(message) })
    })
  }

  close(code = 1000, reason = ''): void {
    if (this.closed) return
    this.closed = true
    queueMicrotask(() => this.onclose?.({ code, reason }))
  }
}

function usualAnswer({ connect, subscribe, refresh }: Command): Body | null {
  const { ttl } = realtimeServer
  if (connect) {
    return { connect: { client: 'client', version: 'test', expires: true, ttl, ping: 25, pong: true } }
  }
  if (refresh) return { refresh: { expires: true, ttl } }
  if (subscribe) {
    const { recovers, place } = realtimeServer
    return {
      subscribe: {
        recoverable: true,
        positioned: true,
        epoch: 'epoch',
        offset: place,
        was_recovering: subscribe.recover ?? false,
        recovered: subscribe.recover === true && recovers !== null,
        publications: subscribe.recover === true ? (recovers ?? []) : [],
      },
    }
  }
  return null
}

export const realtimeServer = {
  /** Replaces the browser's `WebSocket`. */
  WebSocket: Socket,
  /** Whether connections succeed. */
  reachable: true,
  /** Seconds until a token expires. */
  ttl: 600,
  /** The offset of the latest publication. */
  place: 0,
  /** The publications sent after a reconnection; null if they cannot be recovered. */
  recovers: [] as readonly Body[] | null,
  answer: usualAnswer,

  start(): void {
    Socket.sockets = []
    Object.assign(realtimeServer, {
      reachable: true,
      ttl: 600,
      place: 0,
      recovers: [],
      answer: usualAnswer,
    })
  },

  /** All connections so far, the latest last. */
  get sockets(): readonly Socket[] {
    return Socket.sockets
  },

  get latest(): Socket {
    const socket = Socket.sockets.at(-1)
    if (socket === undefined) throw new Error('nobody has connected')
    return socket
  },

  publish(channel: string, data: unknown): void {
    realtimeServer.place += 1
    realtimeServer.latest.push({ push: { channel, pub: { data, offset: realtimeServer.place } } })
  },
}
