// A machine of a cabinet.

import { copyFileSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { BINARY } from '../options.mjs'
import { cabinetSettings } from '../settings.mjs'
import { ACQUIRER, AUTHORITY, DATABASE_PROXY, databaseAt, HOST, PUBLIC_URL, SANDBOX } from './places.mjs'
import { Program } from './program.mjs'

/** The settings of a cabinet that listens at a port, with the database at another port. */
export const settingsAt = (port, database = DATABASE_PROXY) => ({
  ...cabinetSettings({
    listen: `${HOST}:${port}`,
    database: databaseAt(database),
    acquirer: ACQUIRER,
    sandbox: SANDBOX,
  }),
  CABINET_PUBLIC_URL: PUBLIC_URL,
  CABINET_DATABASE_ROOT_CERTIFICATES: AUTHORITY,
  CABINET_DATABASE_CONNECTIONS: '8',
})

/** A machine of a cabinet. */
export class CabinetMachine {
  constructor(machine) {
    this.machine = machine
    this.name = machine.name
    this.url = `http://${HOST}:${machine.port}`
    mkdirSync(machine.folder, { recursive: true })
    this.binary = join(machine.folder, 'cabinet')
    this.install()
    this.program = new Program(machine.name, {
      command: [this.binary, 'serve'],
      folder: machine.folder,
      environment: {
        ...settingsAt(machine.port),
        CABINET_OPERATIONS_LISTEN: `${HOST}:${machine.operations}`,
      },
      // As in deploy/cabinet.service.
      restartSeconds: 5,
    })
  }

  /** Puts the program in place, as a package does while the earlier one runs. */
  install() {
    copyFileSync(BINARY, `${this.binary}.new`)
    renameSync(`${this.binary}.new`, this.binary)
  }

  start() {
    this.program.start()
  }
}
