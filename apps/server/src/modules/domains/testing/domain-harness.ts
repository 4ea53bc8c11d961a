import {
  createScriptedWallet,
  createTestClock,
  createTestDatabase,
  type ScriptedWallet,
  type TestClock,
} from '@atoll/testkit'
import type { Caller } from '../../../platform/caller.ts'
import { createSealer, newId } from '../../../platform/crypto.ts'
import { createDatabase, type Database, type Db, type Trx } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { findAddressee, findName } from '../../accounts/index.ts'
import { makeAccount } from '../../accounts/testing/make-account.ts'
import { findAddressedClusters, listAddressedClusterIds, listClusterNames } from '../../clusters/index.ts'
import { type Credentials, createCredentials } from '../../credentials/index.ts'
import { createIdentity, type Identity } from '../../identity/index.ts'
import type { DomainDeps, HostRecord, Wanted } from '../domain-deps.ts'
import { domainReconcile, domainSweep } from '../lifecycle/job.ts'
import { createNotifyPerson } from '../notify-person.ts'
import { mayTakeName, onNameTaken } from '../wallet/wallet-service.ts'

/** A DNS in which a record is there when a test says so, and our zones are a map. */
export interface FakeDns {
  /** `TXT value`, `NS domain` or `CNAME name`: what is there. */
  records: Set<string>
  zones: Map<string, { name: string; type: string; value: string }[]>
  /** The mail servers of a domain; undefined: unknown. */
  mailServers: Map<string, string[] | undefined>
  /** Records that nobody answers for, as in `records`. */
  unanswered: Set<string>
  /** Our name servers that have not received the zones yet. */
  silent: Set<string>
  /** Those that do not answer at all; `silent` too. */
  dead: Set<string>
  /** How many lookups were made. */
  lookups: number
}

/** A mail as it was written down. */
export interface SentMail {
  kind: string
  params: Record<string, unknown>
  to: string
  locale: string
}
/** The certificates of each domain, by its number. */
export type FakeCertificates = Map<number, { name: string; method: string; hosts: readonly string[] }>

export interface DomainHarness extends AsyncDisposable {
  db: Db
  clock: TestClock
  deps: DomainDeps
  dns: FakeDns
  mails: SentMail[]
  certificates: FakeCertificates
  /** The domains whose certificates were woken. */
  woken: number[]
  identity: Identity
  credentials: Credentials
  createCaller(): Promise<Caller>
  /** A caller with the keys of their account. */
  createWallet(): Promise<{ caller: Caller; wallet: ScriptedWallet }>
  /** Runs the domain's job until it waits. */
  reconcile(number: number): Promise<void>
  sweep(all?: boolean): Promise<void>
}

const keyOf = (domain: string, want: Wanted) =>
  want.kind === 'txt' ? `TXT ${want.value}` : want.kind === 'ns' ? `NS ${domain}` : `CNAME ${want.name}`

export async function createDomainHarness(
  nameServers: string[] = ['ns1.dns.test', 'ns2.dns.test'],
): Promise<DomainHarness> {
  const testDatabase = await createTestDatabase()
  const database: Database = createDatabase({ connectionString: testDatabase.url }, { max: 20 })
  const { db } = database
  const clock = createTestClock(new Date('2026-03-09T12:00:00Z'))
  const dns: FakeDns = {
    records: new Set(),
    zones: new Map(),
    mailServers: new Map(),
    silent: new Set(),
    dead: new Set(),
    lookups: 0,
    unanswered: new Set(),
  }
  const mails: SentMail[] = []
  const sealer = createSealer(Buffer.alloc(32, 7))
  const certificates: FakeCertificates = new Map()
  const woken: number[] = []
  const config = { publicUrl: 'https://atoll.test', chinaUrl: 'https://atoll.test', product: 'Atoll' }
  const credentials = createCredentials({ db, clock, sealer, config })
  const identity = createIdentity({
    db,
    clock,
    config: { nameDomains: ['atoll.test'], product: 'Atoll' },
    mayTakeName,
    onNameBound: (trx, taken) => onNameTaken(deps, trx, taken),
  })
  const mail: DomainDeps['mail'] = {
    async post(_, { kind, params, to, locale }) {
      mails.push({ kind: kind.kind, params: kind.params.parse(params) as Record<string, unknown>, to, locale })
      return newId('ml')
    },
  }
  const deps: DomainDeps = {
    db,
    clock,
    config: { edgeDomain: 'edge.test', nameDomains: ['atoll.test'], orgEmail: 'google' },
    sealer,
    mail,
    notify: createNotifyPerson({ clock, mail, findAddressee }),
    ownDomains: ['atoll.test', 'edge.test', 'dns.test'],
    dns: {
      nameServers,
      hostRecords: [{ type: 'A', value: '192.0.2.1' }],
      async setZone(_, { domain, records }) {
        dns.zones.set(domain, records)
        return { version: 7 }
      },
      hasZone: async (_, domain) => dns.zones.has(domain),
      async findZone(_, domain) {
        const records = dns.zones.get(domain) as HostRecord[] | undefined // written by setZone alone
        return records && { serial: 7, nameServers, records }
      },
      seeServed: async ({ domain, version }) =>
        nameServers.map((server) => ({
          server,
          isServed: dns.zones.has(domain) && version === 7 && !dns.silent.has(server),
          answered: !dns.dead.has(server),
        })),
      findMailServers: async (domain) => (dns.mailServers.has(domain) ? dns.mailServers.get(domain) : []),
      removeZone: async (_, { domain }) => void dns.zones.delete(domain),
      listOwnRecords: async (name) => [{ type: 'MX', name, values: ['10 mail.lagoon.example'] }],
      async lookUp({ domain, want }) {
        dns.lookups += 1
        const key = keyOf(domain, want)
        const answered = !dns.unanswered.has(key)
        const passed = answered && dns.records.has(key)
        const verdict = {
          server: 'ns.parent.test',
          side: 'parent',
          name: domain,
          type: want.kind.toUpperCase(),
        } as const
        return {
          passed,
          answered,
          verdicts: [{ ...verdict, kind: passed ? 'match' : answered ? 'missing' : 'noAnswer' }],
        }
      },
    },
    // HTTPS has tests of its own.
    certificates: {
      listRecords: async () => [],
      want: async (_, { number, ...wanted }) => void certificates.set(number, wanted),
      drop: async (_, number) => void certificates.delete(number),
      wake: async (_, number) => void woken.push(number),
      remove: async () => 'none',
      list: async (_, __, page) => ({ certificates: [], ...page, rowsNumber: 0 }),
      listEnds: async () => [],
      describe: async () => ({ state: 'off', validUntil: null, problem: null, actions: [] }),
    },
    clusters: { listOf: listAddressedClusterIds, findLiving: findAddressedClusters, listNames: listClusterNames },
    lockAccount: (trx: Trx, userid) =>
      trx.selectFrom('accounts').select('account_id').where('account_id', '=', userid).forUpdate().execute(),
    findNameOf: findName,
    credentials,
    names: {
      lock: identity.lockNames,
      take: identity.takeName,
      requireFree: identity.requireFreeName,
      remove: identity.removeName,
      release: identity.releaseNames,
      forget: identity.forgetNames,
    },
    findAddressee,
  }
  async function createWallet() {
    const wallet = createScriptedWallet()
    const { did } = wallet
    const { userid } = await makeAccount(db, { did, created_at: clock.now() })
    await db.insertInto('dids').values({ did, registered_at: clock.now() }).execute()
    return { wallet, caller: { userid, did, sessionId: newId('ss'), role: 'User', ip: '192.0.2.9' } as const }
  }
  const jobs = { reconcile: domainReconcile(deps), sweep: domainSweep(deps) }
  const context = () => ({ log: silentLog, signal: new AbortController().signal, attempt: 1 })
  return {
    db,
    clock,
    deps,
    dns,
    mails,
    certificates,
    woken,
    identity,
    credentials,
    createCaller: async () => (await createWallet()).caller,
    createWallet,
    reconcile: (number) => jobs.reconcile.run({ id: String(number) }, context()),
    sweep: (all = false) => jobs.sweep.run({ all }, context()),
    async [Symbol.asyncDispose]() {
      await database.close()
      await testDatabase.drop()
    },
  }
}
