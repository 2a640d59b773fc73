import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Listens on a port of this machine and hands each request to the next of the ports, so that no two in a row meet the same process. */
export async function takeTurns(port: number, ports: readonly number[]): Promise<Server> {
  let turn = 0
  const next = (): number => {
    turn += 1
    return ports[turn % ports.length] ?? 0
  }
  const server = createServer((asked, answer) => {
    const { method, url, headers } = asked
    const passed = request({ host: '127.0.0.1', port: next(), method, path: url, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
      reply.on('error', () => answer.destroy())
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.on('upgrade', (asked: IncomingMessage, near: Duplex, head: Buffer) => {
    const far = connect(next(), '127.0.0.1')
    const heads = asked.rawHeaders.map((text, index) => (index % 2 === 0 ? `\r\n${text}: ` : text)).join('')
    far.write(`${asked.method} ${asked.url} HTTP/1.1${heads}\r\n\r\n`)
    far.write(head)
    join(near, far)
  })
  await new Promise<void>((done) => server.listen(port, () => done()))
  return server
}

/** Passes on what either side sends, until one of them ends. */
function join(near: Duplex, far: Socket): void {
  near.pipe(far).pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
  near.on('close', () => far.destroy())
  far.on('close', () => near.destroy())
}
