// Who is where in the cluster: names, loopback ports, folders. The ports are below those of other tests.

import { join } from 'node:path'

import { home } from '../options.mjs'

export const HOST = '127.0.0.1'

/** What others call at a machine of the database, each at a port of its own. */
export const SERVICES = ['postgres', 'patroni', 'etcd', 'etcdPeers']

/** All other machines together: those of the cabinets, with the proxy before the database, and the test. */
export const OUTSIDE = 'cabinets'

/** A machine with PostgreSQL, Patroni and etcd. */
const databaseMachine = (number) => {
  const ports = {
    postgres: 17_540 + number,
    patroni: 17_550 + number,
    etcd: 17_520 + number,
    etcdPeers: 17_530 + number,
  }
  return {
    name: `db${number}`,
    folder: join(home, `db${number}`),
    /** The disk of the database, a small one. */
    disk: join(home, `db${number}`, 'disk'),
    data: join(home, `db${number}`, 'disk', 'data'),
    ...ports,
    /** Where its programs listen. The ports that others know lead there through the network of the test. */
    own: Object.fromEntries(SERVICES.map((one) => [one, ports[one] + 60])),
  }
}
export const DATABASE_MACHINES = [1, 2, 3].map(databaseMachine)

/** A machine with a cabinet. */
const cabinetMachine = (name, number) => ({
  name: `cabinet-${name}`,
  folder: join(home, `cabinet-${name}`),
  port: 17_510 + number,
  operations: 17_515 + number,
})
export const CABINET_MACHINES = [cabinetMachine('a', 1), cabinetMachine('b', 2)]

/** Browsers call this one, over TLS. */
export const FRONT = 17_500
/** The same without TLS, for clients that can't be told of the certificate. */
export const FRONT_PLAIN = 17_507
export const PUBLIC_URL = `https://${HOST}:${FRONT}`
/** Leads to whichever database leads. */
export const DATABASE_PROXY = 17_501
/** PgBouncer before it, in each mode. */
export const POOLERS = { session: 17_502, transaction: 17_503 }
export const SANDBOX = 17_504
export const SANDBOX_CABINET = 17_505
export const ACQUIRER = 17_506

export const PASSWORD = 'only-on-loopback'
export const CERTIFICATE = join(home, 'tls', 'server.crt')
export const CERTIFICATE_KEY = join(home, 'tls', 'server.key')
export const AUTHORITY = join(home, 'tls', 'authority.crt')

/** The address of the cabinet's database at a port. */
export const databaseAt = (port, user = 'cabinet', database = 'cabinet') =>
  `postgres://${user}:${PASSWORD}@${HOST}:${port}/${database}?sslmode=require`
