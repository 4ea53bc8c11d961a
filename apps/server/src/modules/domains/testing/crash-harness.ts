/**
 * Domains, zones, credentials, IDs and certificates over one database, as each process of a crash test has them.
 * Others' DNS shows every record, and our name servers answer what is committed.
 */

import { join } from 'node:path'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import type { Pool } from 'pg'
import type { Caller } from '../../../platform/caller.ts'
import { createSealer } from '../../../platform/crypto.ts'
import { createDatabase, type Db, type Tables, type Trx } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findAccountOfDid, findName } from '../../accounts/index.ts'
import { createCertificates } from '../../certificates/index.ts'
import { certificateEnsure } from '../../certificates/lifecycle/job.ts'
import { createCredentials } from '../../credentials/index.ts'
import { hasZone, removeZone, setZone } from '../../dns/index.ts'
import { listZones } from '../../dns/zones/zone-store.ts'
import { createIdentity } from '../../identity/index.ts'
import { bindName, type NameServiceDeps } from '../../identity/name-service.ts'
import { addDomain, removeDomain, restartDomain, setRule } from '../claims/domain-service.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { createDomains, findCustomHost } from '../index.ts'
import { domainReconcile } from '../lifecycle/job.ts'
import { mayTakeName, requestCredential, submitPresentation } from '../wallet/wallet-service.ts'
import { createFolderCa } from './folder-ca.ts'

export interface CrashHarnessOptions {
  databaseUrl: string
  folder: string
  wrapPool?: (pool: Pool) => PostgresPool
  poolSize?: number
}

/**
 * An act of a person or their wallet; `presentNamed` takes the first ID at once, `bind` does later. null: none, only
 * the jobs run.
 */
export type Ask = 'add' | 'issue' | 'present' | 'presentNamed' | 'setRule' | 'bind' | 'restart' | 'remove' | null

export interface Task {
  caller: Caller
  domain: string
  ask: Ask
  jws?: string
}

const hourMs = 3_600_000
/** An hour behind: what createFolderCa makes is valid until now. */
const clock = { now: () => new Date(Date.now() - hourMs) }
const locale = 'en-US'

export type CrashHarness = ReturnType<typeof buildCrashHarness>

export function buildCrashHarness({ databaseUrl, folder, wrapPool, poolSize = 10 }: CrashHarnessOptions) {
  const database = createDatabase({ connectionString: databaseUrl }, { max: poolSize })
  const db: Db = wrapPool
    ? new Kysely<Tables>({ dialect: new PostgresDialect({ pool: wrapPool(database.pool) }) })
    : database.db
  const sealer = createSealer(Buffer.alloc(32, 7))
  const findZone = async (from: Db, domain: string) => (await listZones(from, [domain]))[0]
  const isServed = async ({ domain, version }: { domain: string; version: number }) =>
    ((await findZone(db, domain))?.serial ?? 0) >= version
  const ca = createFolderCa(join(folder, 'ca'))
  const nameDeps: NameServiceDeps = {
    db,
    clock,
    config: { nameDomains: ['atoll.test'], product: 'Atoll' },
    mayTakeName,
    onNameBound: (trx, bound) => domains.onNameTaken(trx, bound),
  }
  const identity = createIdentity(nameDeps)
  const certificateDeps = {
    db,
    clock,
    sealer,
    ca,
    issuer: 'ca.test',
    weeklyShare: 50,
    log: silentLog,
    domains: {
      find: (from: Db, number: number) => domains.findServed(from, number),
      rewrite: (trx: Trx, number: number, write: () => Promise<void>) => domains.rewrite(trx, number, write),
      pointsHere: async () => true,
      notifyOwner: async () => undefined,
      findAccount: async () => undefined,
      findHost: findCustomHost,
    },
    clusters: { listRegistered: async () => null },
    dns: { isServed, seeServed: async () => [], forbidsIssuer: async () => false },
  }
  type Listener = Parameters<typeof createCertificates>[0]['listener']
  const noListener = { on: () => () => undefined } as unknown as Listener // no edge here
  const deps: DomainDeps = {
    db,
    clock,
    sealer,
    config: { edgeDomain: 'edge.test', nameDomains: ['atoll.test'], orgEmail: 'any' },
    ownDomains: ['atoll.test', 'edge.test'],
    mail: { post: async () => 'ml_none' },
    notify: async () => undefined,
    dns: {
      nameServers: ['ns1.dns.test'],
      hostRecords: [{ type: 'A', value: '192.0.2.1' }],
      setZone,
      removeZone,
      hasZone,
      findZone,
      seeServed: async (zone) => [{ server: 'ns1.dns.test', isServed: await isServed(zone), answered: true }],
      findMailServers: async () => [],
      listOwnRecords: async () => [],
      lookUp: async () => ({ passed: true, answered: true, verdicts: [] }),
    },
    certificates: createCertificates({ ...certificateDeps, listener: noListener }),
    credentials: createCredentials({
      db,
      clock,
      sealer,
      config: { publicUrl: 'https://atoll.test', chinaUrl: 'https://atoll.test', product: 'Atoll' },
    }),
    // Every account has one cluster.
    clusters: {
      listOf: async (_, owner) => [`cl_${owner.slice(-20)}`],
      findLiving: async (_, ids) => [...ids],
      listNames: async () => [],
    },
    names: {
      lock: identity.lockNames,
      async take(trx, request) {
        await identity.takeName(trx, request)
        const userid = await findAccountOfDid(trx, request.did)
        if (userid !== undefined) await domains.nameHosts(trx, userid)
      },
      requireFree: identity.requireFreeName,
      remove: identity.removeName,
      release: identity.releaseNames,
      forget: identity.forgetNames,
    },
    lockAccount: (trx, userid) =>
      trx.selectFrom('accounts').select('account_id').where('account_id', '=', userid).forUpdate().execute(),
    findNameOf: findName,
    findAddressee: async () => undefined,
  }
  const domains = createDomains(deps)
  const jobs = { domain: domainReconcile(deps), certificate: certificateEnsure({ ...certificateDeps, ca }) }
  const context = () => ({ log: silentLog, signal: new AbortController().signal, attempt: 1 })

  async function send({ ask, caller, domain, jws = '' }: Task): Promise<void> {
    if (ask === 'add') await addDomain(deps, caller, { domain, method: 'ns' })
    if (ask === 'issue') await requestCredential(deps, caller, { domain, jws, locale })
    if (ask === 'present') await submitPresentation(deps, caller, { domain, jws, locale })
    if (ask === 'presentNamed') await submitPresentation(deps, caller, { domain, jws, locale, adminName: 'lena' })
    if (ask === 'setRule')
      await setRule(deps, caller, { domain, ruleType: 'fixed_email_suffix', ruleData: 'reef.example' })
    if (ask === 'bind') await bindName(nameDeps, { jws, locale, ip: caller.ip })
    if (ask === 'restart') await restartDomain(deps, caller, domain)
    if (ask === 'remove') await removeDomain(deps, caller, { domain, confirm: domain })
  }

  return {
    db,
    database,
    deps,
    clock,
    /** Asks; once more what was done already is refused, which is as good. */
    async send(task: Task): Promise<void> {
      await send(task).catch((error: unknown) => {
        if (!(error instanceof Refusal && ['domainNotNow', 'notFound'].includes(error.key))) throw error
      })
    },
    /** Runs the jobs of a domain, and with `isIssued` those of its certificates, until they change nothing. */
    async settle(domain: string, { isIssued = false }: { isIssued?: boolean }): Promise<void> {
      const stateOf = async () => {
        const rows = await db.selectFrom('domains').select(['number', 'revision']).where('name', '=', domain).execute()
        const certificates = await db
          .selectFrom('certificates')
          .select(['id', 'revision', 'chain'])
          .where('domain_name', '=', domain)
          .where('wanted', '=', true)
          .execute()
        return { rows, certificates, isDone: !isIssued || certificates.every(({ chain }) => chain !== null) }
      }
      for (let before = ''; ; ) {
        const state = await stateOf()
        const now = JSON.stringify(state)
        if (now === before && state.isDone) return
        before = now
        for (const { number } of state.rows) await jobs.domain.run({ id: String(number) }, context())
        if (isIssued) for (const { id } of state.certificates) await jobs.certificate.run({ id }, context())
      }
    },
    close: () => database.close(),
  }
}
