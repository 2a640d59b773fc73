// The flushes of what is measured: their number, and how much slower they are made.

import { closeSync, openSync, readSync, writeSync } from 'node:fs'

const PLACES = { microseconds: 0, count: 8 }

/** The file through which `flushes.c` is told and tells. */
export class Flushes {
  constructor(path) {
    this.file = openSync(path, 'r+')
  }

  /** Makes each flush slower by so many milliseconds. */
  slowBy(milliseconds) {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(milliseconds * 1000))
    writeSync(this.file, bytes, 0, 8, PLACES.microseconds)
  }

  /** Returns how many there were. */
  count() {
    const bytes = Buffer.alloc(8)
    readSync(this.file, bytes, 0, 8, PLACES.count)
    return Number(bytes.readBigUInt64LE())
  }

  close() {
    closeSync(this.file)
  }
}
