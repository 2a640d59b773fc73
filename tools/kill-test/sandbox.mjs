import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { Process } from '../lib/cabinet.mjs'
import { freePort } from '../lib/network.mjs'
import { Refused } from '../lib/refused.mjs'
import { Sandbox } from '../lib/sandbox.mjs'
import { BINARY, home } from './options.mjs'
import { count, seen } from './record.mjs'

/** The sandbox in a separate process, so that it runs on while the cabinet is down. */
class SandboxProcess extends Sandbox {
  /** Starts it at these ports, or at free ones: that of the sandbox and that of the cabinet that comes with it. */
  async start(givenPort, givenOwn) {
    const [port, own] = [givenPort ?? (await freePort()), givenOwn ?? (await freePort())]
    this.port = port
    this.url = `http://127.0.0.1:${port}`
    const folder = join(home, 'sandbox')
    mkdirSync(folder, { recursive: true })
    const log = join(home, 'sandbox.log')
    const environment = {
      CABINET_LISTEN: `127.0.0.1:${own}`,
      CABINET_SANDBOX_LISTEN: `127.0.0.1:${port}`,
      CABINET_DATABASE_URL: `sqlite:${join(folder, 'cabinet.sqlite')}`,
      CABINET_LOG: 'warn',
    }
    const url = `http://127.0.0.1:${own}`
    this.process = new Process(BINARY, { url, folder, environment, output: log, errors: log })
    await this.process.start()
  }

  /** Pays on the payment page, or is refused there. Two calls at once are two tabs of the payer. */
  async pay(page, card, options) {
    try {
      count(seen.payers, (await super.pay(page, card, options)).status)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      count(seen.payers, `refused ${error.status}`)
    }
  }
}

export const sandbox = new SandboxProcess('')
