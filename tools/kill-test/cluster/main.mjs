// Starts the cluster and keeps it until it is told to stop.
//
//   node tools/kill-test/cluster/main.mjs --binary PATH --database cluster

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { home } from '../options.mjs'
import { Cluster } from './cluster.mjs'

const ready = join(home, 'ready')
rmSync(ready, { force: true })
const cluster = new Cluster()
let isStopping = false

async function stop(code) {
  if (isStopping) return
  isStopping = true
  rmSync(ready, { force: true })
  await cluster.stop()
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0))
try {
  await cluster.start()
  writeFileSync(ready, '')
} catch (error) {
  console.error(error)
  await stop(1)
}
