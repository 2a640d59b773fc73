// PostgreSQL refuses to run as root, so its servers run as the user of Debian's package.

import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'

const idOf = (kind) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))

/** The user of the servers; `undefined` if it is the one who runs this. */
export const SERVER_USER = process.getuid() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined

/** Gives a file or folder to the servers. */
export function give(path) {
  if (SERVER_USER) chownSync(path, SERVER_USER.uid, SERVER_USER.gid)
}

/** Makes a folder of the servers. */
export function makeFolder(path) {
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o700)
  give(path)
}

/** Writes a file that only the servers may read. */
export function writeSecret(path, text) {
  writeFileSync(path, text, { mode: 0o600 })
  give(path)
}

const DISK_MEGABYTES = 500

/** Puts a small disk in memory at a folder of the servers. Returns whether that could be done; only root may. */
export function mountSmallDisk(folder) {
  if (!SERVER_USER) return false
  const { uid, gid } = SERVER_USER
  try {
    const options = `size=${DISK_MEGABYTES}m,mode=700,uid=${uid},gid=${gid}`
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
