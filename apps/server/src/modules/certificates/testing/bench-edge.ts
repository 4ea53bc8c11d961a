/**
 * An edge with `CERTIFICATES` certificates, or a plain Node server with one (`bare`), for the bench: prints `{ http,
 * https }`, its ports, and answers every request with a few bytes, or with a thumbnail that takes a while.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../../platform/clock.ts'
import { createSealer, newId } from '../../../platform/crypto.ts'
import { createDatabase, migrate } from '../../../platform/db/index.ts'
import { createListener } from '../../../platform/events/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { addTraffic, createEdge } from '../../edge/index.ts'
import { withoutLimits } from '../../edge/testing/test-edge.ts'
import { createCertificates } from '../index.ts'
import { selfSigned } from './self-signed.ts'

const thumbnail = Buffer.alloc(10_000, 'x')
/** Twelve seconds for a thousand over six connections were 72 ms each, most of them the way there and back. */
const thumbnailMs = 50

const hostOf = (index: number) => `host${index}.bench.example`

async function startBare(): Promise<{ http: number; https: number }> {
  const { key, chain } = await selfSigned(hostOf(0))
  const server = https.createServer({ key, cert: chain, minVersion: 'TLSv1.2' }, (_, res) => res.end('pong'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { http: 0, https: (server.address() as AddressInfo).port } // a TCP listener's address is always this
}

async function startEdge(count: number): Promise<{ http: number; https: number }> {
  const connectionString = process.env['DATABASE_URL'] ?? ''
  const { db, pool } = createDatabase({ connectionString })
  await migrate(pool)
  const sealer = createSealer(Buffer.alloc(32, 7))
  const listener = await createListener({ connection: { connectionString }, log: silentLog })
  const now = systemClock.now()
  const end = new Date(now.getTime() + 90 * 24 * 60 * 60_000)
  for (let index = 0; index < count; index += 1) {
    const { key, chain } = await selfSigned(hostOf(index))
    const row = { id: newId('crt'), domain: 1, domain_name: 'bench.example', names: [hostOf(index)] }
    const issued = { chain, sealed_key: sealer.seal('certificate key', key), not_before: now, not_after: end }
    await db
      .insertInto('certificates')
      .values({ ...row, challenge: 'http-01', ...issued, next_try_at: end, created_at: now })
      .execute()
  }
  const instance = createServer((req, res) => {
    if (req.url === '/thumbnail') setTimeout(() => res.end(thumbnail), thumbnailMs)
    else res.end('pong')
  })
  await once(instance.listen(0, '127.0.0.1'), 'listening')
  const { port } = instance.address() as AddressInfo // a TCP listener's address is always this
  const certificates = createCertificates({
    db,
    clock: systemClock,
    sealer,
    listener,
    log: silentLog,
    ca: undefined,
    issuer: undefined,
    weeklyShare: 10,
    domains: {
      find: async () => undefined,
      rewrite: async () => undefined,
      pointsHere: async () => undefined,
      notifyOwner: async () => undefined,
      findAccount: async () => undefined,
      findHost: async () => undefined,
    },
    clusters: { listRegistered: async () => null },
    dns: { isServed: async () => false, seeServed: async () => [], forbidsIssuer: async () => false },
  })
  const place = { clusterId: 'cl_bench', instanceId: 'in_bench', host: '127.0.0.1', port, serving: true }
  const edge = createEdge({
    db,
    clock: systemClock,
    listener,
    log: silentLog,
    config: { host: '127.0.0.1', product: 'Atoll', trustProxy: 0, ...withoutLimits },
    peerProofs: ['bench'],
    agents: { meetDial: async () => ({ instanceId: 'in_bench' }), listEnrolled: async (ids) => [...ids] },
    addTraffic: (at, counted) => addTraffic(db, at, counted),
    findRoute: async (host) => ({ ...place, clusterHost: host }),
    openCertificates: certificates.openSource,
  })
  return { http: await edge.listen(0), https: await edge.listenTls(0) }
}

const count = Number(process.env['CERTIFICATES'] ?? 0)
process.stdout.write(`${JSON.stringify(count === 0 ? await startBare() : await startEdge(count))}\n`)
