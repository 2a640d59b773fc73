/** The other end of the realtime connection, as far as the tests of the browser's side need one: the protocol's own frames. */

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
  /** To be given to the browser in place of its own. */
  WebSocket: Socket,
  /** False: no connection comes about. */
  reachable: true,
  /** Seconds until a token ends. */
  ttl: 600,
  /** The offset of the latest publication. */
  place: 0,
  /** What a listener who comes back is given; null where that is not known any more. */
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

  /** All connections there were, the latest one last. */
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
