// A certificate authority of the cluster's own, and the certificate of its servers.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { AUTHORITY, CERTIFICATE, CERTIFICATE_KEY, HOST } from './places.mjs'
import { give } from './user.mjs'

const openssl = (...words) => execFileSync('openssl', words, { stdio: ['ignore', 'ignore', 'pipe'] })

/** Makes the certificates, once. */
export function makeCertificates() {
  if (existsSync(CERTIFICATE)) return
  const folder = dirname(CERTIFICATE)
  mkdirSync(folder, { recursive: true })
  const [authorityKey, request, extensions] = ['authority.key', 'server.csr', 'server.ext'].map((name) =>
    join(folder, name),
  )
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const authority = ['-x509', '-days', '3650', '-subj', '/CN=Cluster of the test']
  openssl('req', ...authority, ...key, '-keyout', authorityKey, '-out', AUTHORITY)
  openssl('req', ...key, '-subj', '/CN=database', '-keyout', CERTIFICATE_KEY, '-out', request)
  writeFileSync(extensions, `subjectAltName=IP:${HOST}\n`)
  const signed = ['-CA', AUTHORITY, '-CAkey', authorityKey, '-CAcreateserial', '-days', '3650']
  openssl('x509', '-req', '-in', request, ...signed, '-extfile', extensions, '-out', CERTIFICATE)
  for (const path of [CERTIFICATE, CERTIFICATE_KEY]) give(path)
}
