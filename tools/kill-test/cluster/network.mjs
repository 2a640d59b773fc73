// The network between the machines of the cluster. Each service of a machine of the database is reached through a relay, which knows who calls and
// who is called: it can be late with what one says to the other, or keep it back.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'

import { note } from '../options.mjs'
import { DATABASE_MACHINES, HOST, OUTSIDE, SERVICES } from './places.mjs'

/** What one machine sends to another. */
class Way {
  constructor() {
    /** How late everything arrives, in milliseconds. */
    this.delay = 0
    /** Whether nothing arrives. What is sent meanwhile arrives afterwards, as it is sent again, if its sender still has the connection. */
    this.isHeld = false
    this.directions = new Set()
  }

  set({ delay = 0, isHeld = false }) {
    Object.assign(this, { delay, isHeld })
    for (const one of this.directions) one.flush()
  }
}

/** One direction of a connection. */
class Direction {
  constructor(way) {
    this.way = way
    /** What has not arrived: when it may, and what happens then. */
    this.queue = []
    way.directions.add(this)
  }

  send(arrive) {
    this.queue.push({ due: performance.now() + this.way.delay, arrive })
    this.flush()
  }

  /** The sender sends nothing more, and has forgotten what may have been lost on a way that is held. */
  end(arrive, lose) {
    if (this.way.isHeld) this.queue = []
    this.send(this.way.isHeld ? lose : arrive)
  }

  flush() {
    clearTimeout(this.timer)
    while (!this.way.isHeld && this.queue.length > 0) {
      const wait = this.queue[0].due - performance.now()
      if (wait > 0) {
        this.timer = setTimeout(() => this.flush(), Math.ceil(wait))
        return
      }
      this.queue.shift().arrive()
    }
  }

  forget() {
    clearTimeout(this.timer)
    this.queue = []
    this.way.directions.delete(this)
  }
}

/** Carries what comes from a socket to another one. */
function carry(source, sink, direction) {
  const lose = () => {
    sink.resetAndDestroy()
    source.destroy()
  }
  source.on('data', (bytes) =>
    direction.send(() => {
      if (sink.destroyed || sink.write(bytes) || source.isPaused()) return
      source.pause()
      sink.once('drain', () => source.resume())
    }),
  )
  source.on('end', () => direction.end(() => sink.end(), lose))
  source.on('error', () => {
    direction.queue = []
    direction.send(lose)
  })
  sink.on('close', () => direction.forget())
}

/** Which machine each process of the machines of the database belongs to, by the folder that it works in. */
function processesOfMachines() {
  const owners = new Map(
    DATABASE_MACHINES.flatMap(({ name, folder, data }) => [
      [folder, name],
      [data, name],
    ]),
  )
  const found = []
  for (const id of readdirSync('/proc')) {
    if (!/^\d+$/.test(id)) continue
    try {
      const owner = owners.get(readlinkSync(`/proc/${id}/cwd`))
      if (owner) found.push({ id, owner })
    } catch {
      // It has ended.
    }
  }
  return found
}

/** Whether a process has a file open, by the name that the system gives it. */
function hasOpen(id, name) {
  const folder = `/proc/${id}/fd`
  try {
    return readdirSync(folder).some((one) => {
      try {
        return readlinkSync(`${folder}/${one}`) === name
      } catch {
        return false
      }
    })
  } catch {
    return false
  }
}

const hex = (port) => port.toString(16).toUpperCase().padStart(4, '0')

/** The machine that has made a connection: one of the database, or one of all others. All have the same address here, so the system is asked whose it is. */
function callerOf({ remotePort, localPort }) {
  const ends = new RegExp(`^\\s*\\d+: \\w{8}:${hex(remotePort)} \\w{8}:${hex(localPort)} `)
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((one) => ends.test(one))
  const inode = line?.trim().split(/\s+/)[9]
  if (!inode || inode === '0') return OUTSIDE
  return processesOfMachines().find(({ id }) => hasOpen(id, `socket:[${inode}]`))?.owner ?? OUTSIDE
}

/** The network of the cluster. */
export class Network {
  constructor() {
    this.ways = new Map()
    this.names = [...DATABASE_MACHINES.map((one) => one.name), OUTSIDE]
    for (const from of this.names) for (const to of this.names) this.ways.set(`${from} ${to}`, new Way())
  }

  way(from, to) {
    return this.ways.get(`${from} ${to}`)
  }

  async start() {
    for (const machine of DATABASE_MACHINES)
      for (const service of SERVICES) await this.serve(machine.name, machine[service], machine.own[service])
  }

  /** Leads a port of a machine, which everybody knows, to the one that its program listens on. */
  async serve(name, port, own) {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (caller) => {
      // Who has gone already is nobody's.
      caller.on('error', () => {})
      if (caller.remotePort !== undefined) this.lead(caller, callerOf(caller), name, own)
    })
    await new Promise((done, fail) => {
      server.once('error', fail)
      server.listen(port, HOST, done)
    })
    server.unref()
  }

  lead(caller, from, to, port) {
    const there = new Direction(this.way(from, to))
    const back = new Direction(this.way(to, from))
    there.send(() => {
      if (caller.destroyed) return
      const called = connect({ port, host: HOST, allowHalfOpen: true, noDelay: true })
      carry(caller, called, there)
      carry(called, caller, back)
      caller.resume()
    })
  }

  /** What two machines say to each other arrives late. */
  delay(one, other, milliseconds) {
    note(`the link of ${one} and ${other} is late by ${milliseconds} ms`)
    for (const way of [this.way(one, other), this.way(other, one)]) way.set({ delay: milliseconds })
  }

  /** Nothing of what a machine says arrives at another one. */
  hold(from, to) {
    note(`nothing arrives from ${from} at ${to}`)
    this.way(from, to).set({ isHeld: true })
  }

  /** A machine of the database reaches nobody, and nobody reaches it. */
  isolate(name) {
    note(`${name} reaches nobody`)
    for (const other of this.names.filter((one) => one !== name))
      for (const way of [this.way(name, other), this.way(other, name)]) way.set({ isHeld: true })
  }

  /** What a machine without power has sent and what has not arrived is lost. */
  drop(name) {
    for (const other of this.names)
      for (const direction of this.way(name, other).directions) direction.queue = []
  }

  mend() {
    note('the network is well again')
    for (const way of this.ways.values()) way.set({})
  }
}
