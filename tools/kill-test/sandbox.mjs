import { spawn } from 'node:child_process'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { answers, freePort } from './network.mjs'
import { BINARY, home } from './options.mjs'
import { count, seen } from './record.mjs'

/** Test cards of the sandbox, by what they do. */
export const PAYS = '4242424242424242'
export const PAYS_SLOWLY = '4000000000000259'
export const DECLINED = '4000000000000002'

/** The sandbox in a separate process, so that it runs on while the cabinet is down. */
export const sandbox = {
  /** Starts it at these ports, or at free ones: that of the sandbox and that of the cabinet that comes with it. */
  async start(givenPort, givenOwn) {
    const folder = join(home, 'sandbox')
    mkdirSync(folder, { recursive: true })
    const [port, own] = [givenPort ?? (await freePort()), givenOwn ?? (await freePort())]
    this.port = port
    this.url = `http://127.0.0.1:${port}`
    const log = openSync(join(home, 'sandbox.log'), 'a')
    this.process = spawn(BINARY, ['serve', '--sandbox'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        CABINET_LISTEN: `127.0.0.1:${own}`,
        CABINET_SANDBOX_LISTEN: `127.0.0.1:${port}`,
        CABINET_DATABASE_URL: `sqlite:${join(folder, 'cabinet.sqlite')}`,
        CABINET_LOG: 'warn',
      },
      stdio: ['ignore', log, log],
    })
    while (!(await answers(`http://127.0.0.1:${own}/readyz`))) {
      if (this.process.exitCode !== null) throw new Error('the sandbox ended before it was ready')
      await pause(50)
    }
  },
  async call(path, method = 'GET', body) {
    const answer = await fetch(`${this.url}/sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  },
  messages(phone) {
    return this.call(`/messages?phone=${encodeURIComponent(phone)}`).then(({ body }) => body)
  },
  /** Pays on the payment page. Two calls at once are two tabs of the payer. */
  async pay(page, card, save = false) {
    const invoice = new URL(page).pathname.split('/').findLast((part) => part !== '')
    const { status, body } = await this.call(`/invoices/${invoice}/pay`, 'POST', { card, save_card: save })
    count(seen.payers, status === 200 ? body.status : `refused ${status}`)
  },
}
