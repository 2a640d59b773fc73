// HAProxy before the cabinets and before the database, and PgBouncer.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ADDRESS_HEADER } from '../../lib/notary.mjs'
import { home } from '../options.mjs'
import {
  AUTHORITY,
  CABINET_MACHINES,
  CERTIFICATE,
  CERTIFICATE_KEY,
  DATABASE_MACHINES,
  DATABASE_PROXY,
  FRONT,
  FRONT_PLAIN,
  HOST,
  PASSWORD,
  POOLERS,
} from './places.mjs'
import { Program } from './program.mjs'
import { makeFolder, SERVER_USER, writeSecret } from './user.mjs'

/** What a browser gets where no cabinet has answered. */
const AWAY = ['HTTP/1.0 503 Service Unavailable', 'Retry-After: 2', 'Content-Length: 0', '', ''].join('\r\n')

const servers = (check) =>
  CABINET_MACHINES.map((one) => `    server ${one.name} ${HOST}:${one.port} ${check}`).join('\n')

/**
 * As deploy/haproxy/cabinet.cfg, with shorter times. Only here a client may name its own address (`unless`): all notaries of the test are on this machine,
 * and each call comes as if from another one, so that the limits of one address stop nobody. A real proxy must always replace the header.
 */
const front = (away, pair) => `
global
    maxconn 2000
    stats socket ${join(home, 'front.sock')} level admin

defaults
    mode http
    timeout connect 1s
    timeout client 75s
    timeout server 75s
    timeout tunnel 75s
    timeout queue 5s
    timeout check 1s
    # Only what certainly did not reach a cabinet is sent to the other one.
    retries 3
    option redispatch 1
    retry-on conn-failure
    errorfile 502 ${away}
    errorfile 503 ${away}
    errorfile 504 ${away}

frontend browsers
    bind ${HOST}:${FRONT} ssl crt ${pair}
    bind ${HOST}:${FRONT_PLAIN}
    http-request set-header ${ADDRESS_HEADER} %[src] unless { req.hdr(${ADDRESS_HEADER}) -m found }
    use_backend ready if { nbsrv(ready) gt 0 }
    # While the database is away no cabinet is ready, and each says so itself.
    default_backend alive

backend ready
    balance roundrobin
    option httpchk GET /readyz
    # A cabinet that is being stopped gets nothing new and finishes what it has.
    http-check disable-on-404
    default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers('')}

backend alive
    balance roundrobin
    option httpchk GET /healthz
    default-server check inter 1s fall 2 rise 1
${servers('')}
`

/** The same as deploy/patroni/haproxy.cfg. */
const databaseProxy = () => `
global
    maxconn 1000
    stats socket ${join(home, 'database.sock')} level admin

defaults
    mode tcp
    timeout connect 3s
    timeout client 24h
    timeout server 24h
    timeout check 1s
    option clitcpka
    option srvtcpka

listen cabinet-database
    bind ${HOST}:${DATABASE_PROXY}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${DATABASE_MACHINES.map((one) => `    server ${one.name} ${HOST}:${one.postgres} maxconn 90 check port ${one.patroni}`).join('\n')}
`

const pooler = (mode, folder) => `
[databases]
cabinet = host=${HOST} port=${DATABASE_PROXY} dbname=cabinet

[pgbouncer]
listen_addr = ${HOST}
listen_port = ${POOLERS[mode]}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = 20
max_client_conn = 100
server_tls_sslmode = verify-full
server_tls_ca_file = ${AUTHORITY}
client_tls_sslmode = require
client_tls_cert_file = ${CERTIFICATE}
client_tls_key_file = ${CERTIFICATE_KEY}
server_login_retry = 1
`

function haproxy(name, configuration) {
  const file = join(home, `${name}.cfg`)
  writeFileSync(file, configuration)
  return new Program(name, { command: ['/usr/sbin/haproxy', '-f', file] })
}

/** The proxy that browsers call. */
export function frontProxy() {
  const away = join(home, 'away.http')
  writeFileSync(away, AWAY)
  const pair = join(home, 'tls', 'front.pem')
  const parts = [CERTIFICATE, CERTIFICATE_KEY].map((path) => readFileSync(path, 'utf8'))
  writeFileSync(pair, parts.join(''), { mode: 0o600 })
  return haproxy('front', front(away, pair))
}

/** The proxy before the database. */
export const proxyOfDatabase = () => haproxy('database', databaseProxy())

/** PgBouncer in a mode. */
export function poolerIn(mode) {
  const folder = join(home, `pgbouncer-${mode}`)
  makeFolder(folder)
  writeSecret(join(folder, 'users.txt'), `"cabinet" "${PASSWORD}"\n`)
  const file = join(folder, 'pgbouncer.ini')
  writeSecret(file, pooler(mode, folder))
  return new Program(`pgbouncer-${mode}`, {
    command: ['/usr/sbin/pgbouncer', file],
    folder,
    user: SERVER_USER,
  })
}
