import { createServer, request as httpRequest } from 'node:http'

import { freePort } from '../lib/network.mjs'
import { sandbox } from './sandbox.mjs'

/** Calls in the middle of which the cabinet may be killed. */
const PAYMENT_CALLS = /invoice\/create|wallet\/payment|invoice\/remove/

/**
 * Stands between the cabinet and the acquirer. It makes the addresses of payment pages https, which a cabinet without
 * --sandbox insists on, and can kill the cabinet in the middle of a call.
 */
export const relay = {
  /** What happens at the next payment call: `when` is `before`, `after` or `answered`. */
  armed: null,
  /** By how much the acquirer's clock is ahead at the end, when hours pass at once. */
  aheadSeconds: 0,
  /** What the acquirer is told in place of the cabinet's public address, where its certificate is unknown to it: both addresses. */
  rewritten: null,
  async start(port) {
    this.port = port ?? (await freePort())
    const server = createServer((request, answer) => this.forward(request, answer))
    server.keepAliveTimeout = 60_000
    await new Promise((done) => server.listen(this.port, '127.0.0.1', done))
    server.unref()
  },
  forward(request, answer) {
    const armed = request.method === 'POST' && PAYMENT_CALLS.test(request.url) ? this.armed : null
    if (armed) this.armed = null
    if (armed?.when === 'before') {
      armed.kill()
      request.socket.destroy()
      return
    }
    const parts = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => this.pass(request, Buffer.concat(parts).toString(), answer, armed))
  },
  pass(request, text, answer, armed) {
    const body = Buffer.from(this.rewritten ? text.replaceAll(...this.rewritten) : text)
    const headers = { ...request.headers, 'content-length': String(body.length) }
    delete headers['transfer-encoding']
    const forward = httpRequest(
      {
        host: '127.0.0.1',
        port: sandbox.port,
        method: request.method,
        path: request.url,
        headers,
      },
      (reply) => {
        const parts = []
        reply.on('data', (part) => parts.push(part))
        reply.on('error', () => answer.destroy())
        reply.on('end', () => this.answer(answer, reply, Buffer.concat(parts).toString(), armed))
      },
    )
    forward.on('error', () => answer.destroy())
    request.on('error', () => forward.destroy())
    answer.on('close', () => forward.destroy())
    forward.end(body)
  },
  answer(answer, reply, text, armed) {
    if (armed?.when === 'after') {
      armed.kill()
      answer.destroy()
      return
    }
    const own = `http://127.0.0.1:${sandbox.port}/`
    const body = Buffer.from(text.replaceAll(own, own.replace('http:', 'https:')))
    const headers = { ...reply.headers, 'content-length': String(body.length) }
    delete headers['transfer-encoding']
    if (headers.date) {
      headers.date = new Date(Date.parse(headers.date) + this.aheadSeconds * 1000).toUTCString()
    }
    answer.writeHead(reply.statusCode, headers)
    answer.end(body)
    if (armed?.when === 'answered') setTimeout(armed.kill, armed.late)
  },
}
