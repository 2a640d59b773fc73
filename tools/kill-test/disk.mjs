// The disk of a SQLite database: it gets full, can only be read for a while, or fails to flush.

import { execFileSync } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { home, IS_POSTGRES, note } from './options.mjs'
import { count, seen } from './record.mjs'

const MEGABYTES = 400
/** How long a fault lasts. */
const HOLD_MILLISECONDS = 3_000
/** A cabinet whose flush failed must have ended by then. */
const END_MILLISECONDS_MAX = 20_000

const library = join(home, 'disk-faults.so')
const faults = join(home, 'disk-faults')

export const disk = {
  folder: join(home, 'disk'),
  /** Makes a small disk, which only root may, and the library that makes it fail. */
  start() {
    mkdirSync(this.folder)
    if (IS_POSTGRES) return
    mkdirSync(faults)
    execFileSync('cc', [
      '-shared',
      '-fPIC',
      '-O1',
      '-Wall',
      '-o',
      library,
      resolve(import.meta.dirname, 'disk-faults.c'),
      '-ldl',
    ])
    try {
      const options = `size=${MEGABYTES}m`
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', this.folder], { stdio: 'ignore' })
      this.isSmall = true
    } catch {
      console.log('A small disk can be made by root only: a full disk is NOT TESTED')
    }
  },
  stop() {
    if (!this.isSmall) return
    this.isSmall = false
    // What is in memory is kept beside the logs.
    cpSync(this.folder, join(home, 'disk-at-the-end'), { recursive: true })
    execFileSync('umount', ['--lazy', this.folder])
  },
  environment: () => (IS_POSTGRES ? {} : { LD_PRELOAD: library, DISK_FAULTS: faults }),
  fill() {
    const block = Buffer.alloc(1 << 16)
    const file = openSync(join(this.folder, 'something-else'), 'w')
    try {
      for (;;) writeSync(file, block)
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error
    } finally {
      closeSync(file)
    }
  },
  begin(kind) {
    if (kind === 'full') this.fill()
    else writeFileSync(join(faults, kind), '')
  },
  end(kind) {
    rmSync(kind === 'full' ? join(this.folder, 'something-else') : join(faults, kind), { force: true })
  },
}

const KINDS = ['full', 'readonly', 'flush']
let next = 0

/**
 * Breaks the disk under the running cabinet for a while, each kind in its turn. The cabinet may end; then it is started again, as a
 * supervisor does. After a failed flush it must end. With a disk that can only be read it must not start.
 */
export async function breakDisk(server) {
  const kind = KINDS[next % KINDS.length]
  next += 1
  if (kind === 'full' && !disk.isSmall) return
  const broken = server.process
  broken.isWanted = false
  note(`the disk is broken: ${kind}`)
  disk.begin(kind)
  const patience = kind === 'flush' ? END_MILLISECONDS_MAX : HOLD_MILLISECONDS
  const began = Date.now()
  await Promise.race([broken.ended, pause(patience)])
  const seconds = Math.round((Date.now() - began) / 1000)
  const { hasEnded } = broken
  count(seen.disks, `${kind}: ${hasEnded ? `ended within ${seconds} s, started again` : 'went on'}`)
  if (kind === 'flush' && !hasEnded) seen.deaths.push('a cabinet goes on although a flush of its disk failed')
  if (kind === 'readonly') await refusesToStart(server)
  disk.end(kind)
  if (hasEnded || kind === 'readonly') {
    await server.kill()
    await server.start(0)
  } else broken.isWanted = true
  note(`the disk is whole again: ${kind}`)
}

/** With a disk that can only be read, another start must end with the reason. */
async function refusesToStart(server) {
  await server.kill()
  const { code, text } = await server.command('serve')
  if (code === 0 || !/can only be read|read-only|input\/output/i.test(text))
    seen.deaths.push(`a start on a disk that can only be read: code ${code}, ${text.slice(-200)}`)
}
