// A machine of the database: PostgreSQL under Patroni, and a member of etcd.

import { execFile, execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

import { note } from '../options.mjs'

import { CERTIFICATE, CERTIFICATE_KEY, DATABASE_MACHINES, HOST, PASSWORD } from './places.mjs'
import { processesIn, Program, signalAll } from './program.mjs'
import { makeFolder, mountSmallDisk, SERVER_USER, writeSecret } from './user.mjs'

/** What it calls is called through the network of the test, which is in this process: nobody may wait for it and do nothing else. */
const run = promisify(execFile)

/** Times of Patroni in seconds, those of deploy/patroni/patroni.yml, which says what they mean. */
const TIMES = { ttl: 10, loop_wait: 2, retry_timeout: 4, primary_start_timeout: 0 }

function postgresFolder() {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root)
    ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one))
    : []
  const folder = versions.map((one) => join(root, one, 'bin')).find((one) => existsSync(join(one, 'initdb')))
  if (!folder) throw new Error('PostgreSQL is not installed')
  return folder
}

const login = (username) => ({ username, password: PASSWORD })

const at = (port) => `${HOST}:${port}`
const url = (port) => `http://${at(port)}`

/** The configuration of Patroni. JSON is YAML, too. It follows deploy/patroni/patroni.yml. */
function patroniConfiguration(machine) {
  return {
    scope: 'cabinet',
    namespace: '/db/',
    name: machine.name,
    restapi: {
      listen: at(machine.own.patroni),
      connect_address: at(machine.patroni),
      authentication: login('patroni'),
    },
    // Not etcd3: see deploy/patroni/patroni.yml.
    etcd: { hosts: DATABASE_MACHINES.map((one) => at(one.etcd)).join(',') },
    bootstrap: {
      dcs: {
        ...TIMES,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        synchronous_mode_strict: false,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 100,
            wal_level: 'replica',
            hot_standby: 'on',
            wal_log_hints: 'on',
            synchronous_commit: 'on',
            tcp_keepalives_idle: 30,
            tcp_keepalives_interval: 10,
            tcp_keepalives_count: 3,
            // Little, so that a small disk holds it.
            max_wal_size: '128MB',
            min_wal_size: '64MB',
            wal_keep_size: '64MB',
            shared_buffers: '64MB',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: at(machine.own.postgres),
      connect_address: at(machine.postgres),
      data_dir: machine.data,
      bin_dir: postgresFolder(),
      pgpass: join(machine.folder, 'pgpass'),
      authentication: {
        superuser: login('postgres'),
        replication: login('replicator'),
        rewind: login('rewinder'),
      },
      parameters: {
        ssl: 'on',
        ssl_cert_file: CERTIFICATE,
        ssl_key_file: CERTIFICATE_KEY,
        unix_socket_directories: '',
      },
      pg_hba: [
        `hostssl replication replicator ${HOST}/32 scram-sha-256`,
        `hostssl all postgres ${HOST}/32 scram-sha-256`,
        `hostssl all rewinder ${HOST}/32 scram-sha-256`,
        `hostssl cabinet cabinet ${HOST}/32 scram-sha-256`,
      ],
    },
    watchdog: { mode: 'off' },
  }
}

const etcdEnvironment = (machine) => {
  return {
    ETCD_NAME: machine.name,
    ETCD_DATA_DIR: join(machine.folder, 'etcd'),
    ETCD_LISTEN_PEER_URLS: url(machine.own.etcdPeers),
    ETCD_LISTEN_CLIENT_URLS: url(machine.own.etcd),
    ETCD_INITIAL_ADVERTISE_PEER_URLS: url(machine.etcdPeers),
    ETCD_ADVERTISE_CLIENT_URLS: url(machine.etcd),
    ETCD_INITIAL_CLUSTER: DATABASE_MACHINES.map((one) => `${one.name}=${url(one.etcdPeers)}`).join(','),
    ETCD_INITIAL_CLUSTER_TOKEN: 'cabinet',
    ETCD_INITIAL_CLUSTER_STATE: 'new',
    ETCD_ENABLE_V2: 'true',
    ETCD_PRE_VOTE: 'true',
    ETCD_LOGGER: 'zap',
    ETCD_LOG_LEVEL: 'warn',
  }
}

/** A machine of the database. */
export class DatabaseMachine {
  constructor(machine) {
    this.machine = machine
    this.name = machine.name
    makeFolder(machine.folder)
    makeFolder(machine.disk)
    /** Whether its disk is small. */
    this.isSmall = mountSmallDisk(machine.disk)
    this.configuration = join(machine.folder, 'patroni.yml')
    writeSecret(this.configuration, JSON.stringify(patroniConfiguration(machine), null, 2))
    const user = SERVER_USER
    this.etcd = new Program(`${this.name}-etcd`, {
      command: ['etcd'],
      environment: etcdEnvironment(machine),
      folder: machine.folder,
      user,
    })
    this.patroni = new Program(`${this.name}-patroni`, {
      command: ['patroni', this.configuration],
      folder: machine.folder,
      user,
    })
  }

  start() {
    this.etcd.start()
    this.patroni.start()
  }

  /** The processes of PostgreSQL. */
  servers() {
    return processesIn(this.machine.data)
  }

  /** Runs a command as the manual does: by the user of the servers, who alone can read the configuration. Returns what it prints. */
  async patronictl(...words) {
    const options = { cwd: this.machine.folder, ...SERVER_USER }
    return (await run('patronictl', ['-c', this.configuration, ...words], options)).stdout
  }

  /** Ends like a machine without power. */
  async kill() {
    await Promise.all([this.etcd.kill(), this.killDatabase()])
  }

  /** Ends PostgreSQL and what watches over it; the member of etcd goes on. */
  async killDatabase() {
    const ids = this.servers()
    const ended = this.patroni.kill()
    signalAll(ids, 'SIGKILL')
    await ended
    signalAll(this.servers(), 'SIGKILL')
  }

  /** Stops all of its processes where they are, or lets them go on. */
  signal(name) {
    signalAll(this.servers(), name)
    this.patroni.signal(name)
    this.etcd.signal(name)
  }

  /** Lets something else fill the disk of the database. */
  fillDisk() {
    const block = Buffer.alloc(1 << 20)
    const file = openSync(this.filler, 'w')
    try {
      for (;;) writeSync(file, block)
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error
    } finally {
      closeSync(file)
    }
  }

  /** Gives the space back. */
  freeDisk() {
    rmSync(this.filler, { force: true })
  }

  get filler() {
    return join(this.machine.disk, 'something-else')
  }

  /** Ends PostgreSQL and Patroni in order. */
  async stopServer() {
    await this.patroni.end()
    for (let tries = 0; tries < 50 && this.servers().length > 0; tries += 1) await pause(100)
    signalAll(this.servers(), 'SIGKILL')
    if (this.isSmall) execFileSync('umount', ['--lazy', this.machine.disk])
  }
}

/** What Patroni says of the members: `name`, `role`, `state`. Empty while no machine answers. */
export async function members() {
  for (const machine of DATABASE_MACHINES) {
    try {
      const answer = await fetch(`http://${HOST}:${machine.patroni}/cluster`, {
        signal: AbortSignal.timeout(1_000),
      })
      return (await answer.json()).members
    } catch (error) {
      if (error.name === 'SyntaxError') note(`${machine.name}: ${error.message}`)
    }
  }
  return []
}
