import { createServer } from 'node:net'

/**
 * The port that was tried last. They are outside of the range of outgoing connections: while a cabinet is stopped, such a connection might
 * take its port. Each worker of the browser tests has a thousand of its own, where two runs at the same time begin at different places: a port
 * is free only until its program listens there.
 */
let lastPort = process.env.TEST_PARALLEL_INDEX
  ? 20_000 + 1_000 * Number(process.env.TEST_PARALLEL_INDEX) + ((process.ppid * 97) % 800)
  : 26_000 + (process.pid % 5_000)

/**
 * Returns a port that nobody listens on.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  lastPort += 1
  const port = lastPort
  const server = createServer()
  const isFree = await new Promise((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => done(true))
  })
  if (!isFree) return freePort()
  await new Promise((done) => server.close(done))
  return port
}

/** Whether the address answers with a success. */
export async function answers(url, millisecondsMax = 1_000) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(millisecondsMax) })).ok
  } catch {
    return false
  }
}
