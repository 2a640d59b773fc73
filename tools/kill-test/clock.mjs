// Wrong clocks.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The environment that makes libfaketime change the clock. */
export function fakedClock(clock) {
  if (clock === 0) return {}
  if (typeof clock === 'string') return { LD_PRELOAD: fakeTimeLibrary(), FAKETIME: clock }
  const offset = `${clock > 0 ? '+' : ''}${clock}`
  return { LD_PRELOAD: fakeTimeLibrary(), FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

function fakeTimeLibrary() {
  const folders = readdirSync('/usr/lib', { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map((one) => join('/usr/lib', one.name))
  const file = folders.map((folder) => join(folder, 'faketime/libfaketimeMT.so.1')).find(existsSync)
  if (!file) throw new Error('libfaketime is not installed')
  return file
}
