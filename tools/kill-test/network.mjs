import { createServer } from 'node:net'

let lastPort = 26_000 + (process.pid % 5_000)

/** Returns a port that nobody listens on. */
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
export async function answers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}
