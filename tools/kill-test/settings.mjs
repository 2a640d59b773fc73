// The settings and tables of a cabinet under test.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { runCommand as runProgram, WITHOUT_LIMITS_OF_NEW_ACCOUNTS } from '../lib/cabinet.mjs'
import { ADDRESS_HEADER } from '../lib/notary.mjs'
import { writeTables } from '../lib/tables.mjs'
import { BINARY, home } from './options.mjs'

const tables = join(home, 'reference-data')

/** The environment of a cabinet: `listen`, `database` (its address), the ports `acquirer` and `sandbox`. */
export const cabinetSettings = ({ listen, database, acquirer, sandbox }) => ({
  CABINET_LISTEN: listen,
  CABINET_DATABASE_URL: database,
  ...WITHOUT_LIMITS_OF_NEW_ACCOUNTS,
  // All devices here are new, and saved cards pay.
  CABINET_CODES_DEVICE_KNOWN_AFTER_HOURS: '0',
  // Each notary here works like an office. A refusal of this limit would look like a pause of the cabinet.
  CABINET_LIMITS_ACQUIRER_CALLS_PER_MINUTE: '100000',
  CABINET_SECRET_KEY: 'q7Zt0Vw2Kc9xYd4LpR8sJm1NfB6hGe3TuAoXiQyWzE5',
  CABINET_CLIENT_ADDRESS_HEADER: ADDRESS_HEADER,
  CABINET_ACQUIRER_BASE_URL: `http://127.0.0.1:${acquirer}`,
  CABINET_ACQUIRER_TOKEN: 'sandbox-acquirer-token',
  CABINET_ACQUIRER_PAGE_HOSTS: `127.0.0.1:${sandbox}`,
  CABINET_SMS_BASE_URL: `http://127.0.0.1:${sandbox}`,
  CABINET_SMS_TOKEN: 'sandbox-sms-token',
  CABINET_SMS_SENDER: 'Cabinet',
  CABINET_SESSIONS_IDLE_MINUTES: '43200',
  CABINET_SESSIONS_ABSOLUTE_MINUTES: '43200',
  CABINET_OPERATOR_NAME: 'ТОВ «Кабінет»',
  CABINET_OPERATOR_CODE: '32855961',
  CABINET_OPERATOR_IBAN: 'UA313052990000026005061724359',
  CABINET_OPERATOR_ADDRESS: 'м. Київ, вул. Перша, 1',
  CABINET_SUPPORT_EMAIL: 'support@cabinet.example',
  CABINET_SUPPORT_PHONE: '0 800 000 000',
  CABINET_OFFER_FILE_UK: join(home, 'offer.txt'),
  CABINET_OFFER_FILE_EN: join(home, 'offer.txt'),
})

/** Makes the database and loads the tables. */
export async function prepareData(env) {
  writeFileSync(join(home, 'offer.txt'), 'The offer of the test.\n')
  writeTables(tables)
  await runCommand(env, 'migrate')
  await runCommand(env, 'reference', 'load', tables, '--reason', 'a test', '--yes')
}

/** Commands whose findings are an exit code. */
const FINDING = new Set(['doctor', 'alarms', 'check', 'serve'])

/** Runs one of the operator's commands. Returns what it prints and its exit code. */
export async function runCommand(env, ...words) {
  const { code, stdout, text } = await runProgram(BINARY, words, env)
  if (code !== 0 && !FINDING.has(words[0])) throw new Error(`cabinet ${words[0]}: code ${code}, ${text}`)
  return { code, text: code === 0 ? stdout : text }
}
