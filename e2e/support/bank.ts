import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cabinet } from './cabinet.ts'

export { OPERATOR_OF_SANDBOX as OPERATOR } from '../../tools/lib/cabinet.mjs'

/** The operator's bank in the sandbox, and the operator's files for it. */
export class Bank {
  private readonly cabinet: Cabinet

  constructor(cabinet: Cabinet) {
    this.cabinet = cabinet
  }

  private async call(path: string, options: RequestInit = {}): Promise<Response> {
    const answer = await fetch(`${this.cabinet.sandbox.url}/sandbox/bank${path}`, options)
    if (!answer.ok) throw new Error(`The bank answered ${answer.status} to ${path}: ${await answer.text()}`)
    return answer
  }

  private async put(path: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    await this.call(path, { method: 'PUT', headers, body: JSON.stringify(body) })
  }

  /** Whose accounts are that the reference data don't know: codes by account. The Treasury sends any other pair back. */
  setOwners(owners: Readonly<Record<string, string>>): Promise<void> {
    return this.put('/settings', { owners })
  }

  /** Has the payment of a document come back. */
  sendBack(documentNumber: number, text: string): Promise<void> {
    return this.put(`/rulings/${documentNumber}`, { return: { code: 'AC04', text } })
  }

  /** Gives all planned transfers to the bank, lets a day pass and imports its answers. */
  async payOut(): Promise<void> {
    const { cabinet } = this
    const inFolder = (name: string) => join(cabinet.dataFolder, name)
    cabinet.command('transfers', 'export', '--format', 'pain001', 'list.xml')
    cabinet.command('transfers', 'import', 'list.xml', '--status', 'sent')
    const list = readFileSync(inFolder('list.xml'))
    rmSync(inFolder('list.xml'))
    const taken = await this.call('/files?name=list.xml', { method: 'POST', body: list })
    const { id } = (await taken.json()) as { id: number }
    await this.call('/days', { method: 'POST' })
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Kyiv' }).format(new Date())
    for (const path of [`/files/${id}/pain.002.xml`, `/statements/${today}/camt.053.xml`]) {
      const answer = await this.call(path)
      writeFileSync(inFolder('answer.xml'), Buffer.from(await answer.arrayBuffer()))
      cabinet.command('transfers', 'import', 'answer.xml')
      rmSync(inFolder('answer.xml'))
    }
  }
}
