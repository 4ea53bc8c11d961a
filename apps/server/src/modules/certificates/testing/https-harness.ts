/** Domains that are set up, our name server, an edge with HTTPS, and Pebble that believes them. */

import { randomBytes } from 'node:crypto'
import http, { createServer } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { DomainMethod } from '@atoll/contract/domains'
import { createScriptedWallet, createTestClock, createTestDatabase, findFreePorts, startPebble } from '@atoll/testkit'
import { createSealer, newId } from '../../../platform/crypto.ts'
import { createDatabase } from '../../../platform/db/index.ts'
import { createListener } from '../../../platform/events/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { findName } from '../../accounts/index.ts'
import { makeAccount } from '../../accounts/testing/make-account.ts'
import { createDns } from '../../dns/index.ts'
import type { DomainDeps } from '../../domains/domain-deps.ts'
import { createDomains, findCustomHost } from '../../domains/index.ts'
import { endClaim } from '../../domains/lifecycle/end-claim.ts'
import { addTraffic, createEdge } from '../../edge/index.ts'
import { withoutLimits } from '../../edge/testing/test-edge.ts'
import { createAcmeCa } from '../acme/acme-ca.ts'
import type { Ca } from '../acme/ca.ts'
import type { HttpsNews } from '../certificate-deps.ts'
import { createCertificates } from '../index.ts'
import { certificateEnsure } from '../lifecycle/job.ts'
import { withOwnNames } from '../lifecycle/own-names.ts'
import { startFollower } from './follower.ts'

export type HttpsHarness = Awaited<ReturnType<typeof createHttpsHarness>>

/**
 * `wrapCa`: changes how the authority is asked, to break it. `weeklyShare`: new certificates of an account.
 * `challengeZone`: where owners may point challenges; the world's DNS is then asked, and followed from zone to zone.
 */
export async function createHttpsHarness(
  wrapCa: (ca: Ca) => Ca = (ca) => ca,
  weeklyShare = 10,
  challengeZone?: string,
) {
  const testDatabase = await createTestDatabase()
  const database = createDatabase({ connectionString: testDatabase.url }, { max: 20 })
  const { db } = database
  const listener = await createListener({ connection: { connectionString: testDatabase.url }, log: silentLog })
  // The authority, a program of its own, goes by the time that it is.
  const clock = createTestClock(new Date())
  const sealer = createSealer(Buffer.alloc(32, 7))
  const [dnsPort = 0] = await findFreePorts(1)
  const [httpPort = 0] = await findFreePorts(1)
  const dns = createDns({
    db,
    clock,
    sealer,
    listener,
    log: silentLog,
    config: {
      host: '127.0.0.1',
      dnsRate: 0,
      nameServers: [{ host: 'ns1.dns.test', address: '127.0.0.1', port: dnsPort }],
      edgeAddresses: { ipv4: ['127.0.0.1'], ipv6: [], host: 'edge.test' },
      resolvers: challengeZone === undefined ? [] : [{ name: 'World', address: '127.0.0.1', port: dnsPort }],
      challengeZone,
      strayMs: 0,
    },
  })
  await dns.listen(dnsPort)
  const follower = challengeZone === undefined ? undefined : await startFollower(dnsPort)
  const pebble = await startPebble({ dnsServer: `127.0.0.1:${follower?.port ?? dnsPort}`, httpPort })
  const realCa = createAcmeCa({
    db,
    clock,
    sealer,
    config: { directory: pebble.directory, caFile: pebble.caFile, email: 'operator@dns.test' },
  })
  const ca = wrapCa(realCa)
  /** By every cluster; null: their agents do not say. */
  let registered: readonly string[] | null = ['photos']
  /** A CAA record in the world that names another authority. */
  let isForbidden = false
  const news: Parameters<DomainDeps['notify']>[2][] = []
  const certificateDeps = {
    db,
    clock,
    sealer,
    listener,
    log: silentLog,
    ca,
    issuer: 'ca.test',
    weeklyShare,
    domains: withOwnNames(
      {
        find: (from: typeof db, number: number) => domains.findServed(from, number),
        rewrite: (trx: Parameters<typeof domains.rewrite>[0], number: number, write: () => Promise<void>) =>
          domains.rewrite(trx, number, write),
        pointsHere: (number: number) => domains.pointsHere(number),
        notifyOwner: (trx: Parameters<typeof domains.notifyOwner>[0], number: number, news: HttpsNews) =>
          domains.notifyOwner(trx, number, news),
        findAccount: (from: typeof db, number: number, name: string) => domains.findAccount(from, number, name),
        findHost: findCustomHost,
      },
      { edgeDomain: 'edge.test', log: silentLog, dns },
    ),
    clusters: { listRegistered: async () => registered },
    dns: {
      challenges: dns.challenges,
      isServed: dns.isServed,
      seeServed: dns.seeServed,
      forbidsIssuer: async () => isForbidden,
    },
  }
  const certificates = createCertificates(certificateDeps)
  const clusters = new Map<string, string>()
  const domainDeps: DomainDeps = {
    db,
    clock,
    config: { edgeDomain: 'edge.test', nameDomains: ['atoll.test'], orgEmail: 'any' },
    ownDomains: [],
    dns,
    certificates,
    clusters: {
      listOf: async (_, owner) => [...clusters].flatMap(([id, whose]) => (whose === owner ? [id] : [])),
      findLiving: async () => [...clusters.keys()],
      listNames: async () => [],
    },
    credentials: {
      readApplication: () => Promise.reject(new Error('no wallets here')),
      issue: () => Promise.reject(new Error('no wallets here')),
      readPresentation: () => Promise.reject(new Error('no wallets here')),
      takeNonce: async () => false,
      listEnding: async () => [],
      findEnd: async () => undefined,
      revoke: async () => undefined,
    },
    names: {
      lock: async () => undefined,
      take: async () => undefined,
      remove: async () => undefined,
      requireFree: async () => undefined,
      release: async () => [],
      forget: async () => undefined,
    },
    sealer,
    mail: { post: async () => 'ml_none' },
    notify: async (_, __, one) => void news.push(one),
    findAddressee: async () => undefined,
    lockAccount: async () => undefined,
    findNameOf: findName,
  }
  const domains = createDomains(domainDeps)
  /** Every cluster answers with the host and scheme of the request. */
  const instance = createServer((req, res) => {
    const { host, 'x-forwarded-proto': scheme } = req.headers
    res.end(JSON.stringify({ host, scheme }))
  })
  await new Promise<void>((resolve) => instance.listen(0, '127.0.0.1', resolve))
  const { port: instancePort } = instance.address() as AddressInfo // a TCP listener's address is always this
  const ownHosts = new Map([['console.test', { host: '127.0.0.1', port: instancePort }]])
  const edge = createEdge({
    db,
    clock,
    listener,
    log: silentLog,
    config: { host: '127.0.0.1', product: 'Atoll', trustProxy: 0, edgeOwnHosts: ownHosts, ...withoutLimits },
    peerProofs: ['proof'],
    agents: {
      meetDial: async ({ authorization: id }) => (id === undefined ? undefined : { instanceId: id }),
      listEnrolled: async (ids) => [...ids],
    },
    async findRoute(host) {
      const found = await findCustomHost(db, host)
      if (!found) return undefined
      return { ...found, instanceId: 'in_one', host: '127.0.0.1', port: instancePort, serving: true }
    },
    addTraffic: (at, counted) => addTraffic(db, at, counted),
    openCertificates: certificates.openSource,
  })
  await edge.listen(httpPort)
  const tlsPort = await edge.listenTls(0)
  const ensureJob = certificateEnsure({ ...certificateDeps, ca })
  const context = () => ({ log: silentLog, signal: new AbortController().signal, attempt: 1 })

  return {
    db,
    clock,
    dns,
    pebble,
    domains,
    domainDeps,
    certificates,
    /** The mails to owners so far. */
    news,
    httpPort,
    tlsPort,
    instancePort,
    certificateDeps,
    /** A domain that is set up, `name@domain` and its cluster; gives the domain. */
    async link(name: string, method: DomainMethod): Promise<{ domain: string; number: number; userid: string }> {
      const domain = `cloud.lagoon${randomBytes(4).toString('hex')}.example`
      const at = clock.now()
      const { userid, did } = await makeAccount(db, { created_at: at })
      await db.insertInto('dids').values({ did, registered_at: at }).execute()
      await db
        .insertInto('names')
        .values({ name: `${name}@${domain}`, did, bound_at: at })
        .execute()
      const { number } = await db
        .insertInto('domains')
        .values({
          userid,
          name: domain,
          is_apex: false,
          method,
          status: 'ALLOCATED',
          txt_token: 'none',
          proven_at: at,
          checks_since: at,
          created_at: at,
          updated_at: at,
        })
        .returning('number')
        .executeTakeFirstOrThrow()
      clusters.set(newId('cl'), userid)
      await db.transaction().execute((trx) => domains.nameHosts(trx, userid))
      // By CNAME the world's DNS leads here; this is what says so.
      if (method === 'cname')
        await db.transaction().execute((trx) =>
          dns.setZone(trx, {
            domain,
            nameServers: ['ns.world.test'],
            records: [{ name: `*.${domain}`, type: 'A', value: '127.0.0.1' }],
          }),
        )
      return { domain, number, userid }
    },
    /** Another account with the ID `name@domain`, and its cluster. */
    async addMember(name: string, { domain, number }: { domain: string; number: number }): Promise<{ userid: string }> {
      const at = clock.now()
      const { userid, did } = await makeAccount(db, { created_at: at })
      await db.insertInto('dids').values({ did, registered_at: at }).execute()
      await db
        .insertInto('names')
        .values({ name: `${name}@${domain}`, did, bound_at: at })
        .execute()
      await db
        .insertInto('domain_members')
        .values({ domain: number, name, did, created_at: at, joined_at: at })
        .execute()
      clusters.set(newId('cl'), userid)
      await db.transaction().execute((trx) => domains.nameHosts(trx, userid))
      return { userid }
    },
    register(labels: readonly string[] | null): void {
      registered = labels
    },
    forbid(is: boolean): void {
      isForbidden = is
    },
    /** Another cluster of the same owner. */
    async addCluster(userid: string): Promise<void> {
      clusters.set(newId('cl'), userid)
      await db.transaction().execute((trx) => domains.nameHosts(trx, userid))
    },
    async remove({ number }: { number: number }): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('domains')
          .selectAll()
          .where('number', '=', number)
          .forUpdate()
          .executeTakeFirstOrThrow()
        await endClaim(domainDeps, trx, row, { actor: 'system', ip: null })
      })
    },
    /** Runs the job of every certificate that is wanted, once. */
    async work(): Promise<void> {
      const rows = await db.selectFrom('certificates').select('id').execute()
      await Promise.all(rows.map(({ id }) => ensureJob.run({ id }, context())))
    },
    /** Opens `host` over HTTPS, trusting Pebble's root alone. */
    async open(host: string): Promise<{ host: string; scheme: string }> {
      const trusted = await pebble.root()
      const body = await new Promise<string>((resolve, reject) => {
        const options = {
          host: '127.0.0.1',
          port: tlsPort,
          servername: host,
          ca: trusted,
          headers: { host },
          agent: false,
        }
        https.get(options, (answer) => text(answer).then(resolve, reject)).once('error', reject)
      })
      return JSON.parse(body)
    },
    /** Opens `host` over HTTP, as from the world's port 80, and follows nothing. */
    async openPlain(host: string, path: string): Promise<{ status: number; location: string | undefined }> {
      return await new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port: httpPort, path, headers: { host }, agent: false }
        http
          .get(options, (answer) => {
            answer.resume()
            resolve({ status: answer.statusCode ?? 0, location: answer.headers.location })
          })
          .once('error', reject)
      })
    },
    async [Symbol.asyncDispose]() {
      await edge.close(100)
      instance.closeAllConnections()
      instance.close()
      await dns.close()
      await pebble[Symbol.asyncDispose]()
      follower?.close()
      await listener.close()
      await database.close()
      await testDatabase.drop()
    },
  }
}
