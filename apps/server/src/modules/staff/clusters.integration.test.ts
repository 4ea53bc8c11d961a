/** Clusters of customers as staff find, open and help them. */
import { inflateRawSync } from 'node:zlib'
import { auditPage } from '@atoll/contract/audit'
import { clusterRepair, clusterRestart, clusterStop, destroyMaster, instanceDetails } from '@atoll/contract/clusters'
import {
  attentionList,
  customerLook,
  staffClusterCommand,
  staffClusterDiagnostics,
  staffClusterGiveUp,
  staffClusterRetry,
  staffClusterShow,
  staffClustersPage,
} from '@atoll/contract/staff'
import { codes, mayLook } from '@atoll/contract/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ids } from '../../authorization/call-bodies.fixture.ts'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { bodyOf, calls, callsThat, send } from '../../authorization/testing/table-calls.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { createSealer } from '../../platform/crypto.ts'
import { loadSecretKeys } from '../../platform/data-folder/secret-key.ts'
import { silentLog } from '../../platform/log.ts'
import { createOperator } from './testing/operator.ts'

let app: TestApp
let operator: Person
let support: Person
let owner: Person
let ids: Ids
beforeAll(async () => {
  app = await openTestApp()
  operator = await app.createPerson('User', 'operator')
  support = await app.createPerson('User', 'support')
  owner = await app.createPerson()
  ids = await createIds(app.database, owner)
})
afterAll(() => app[Symbol.asyncDispose]())

const run = (statement: ReturnType<typeof sql>) => statement.execute(app.database.db)
const clusterOf = async () => (await support.api.ask(staffClusterShow, { clusterId: ids.clusterId })).cluster
const isLate = () => run(sql`update operations set deadline_at = now() - interval '5 minutes' where state = 'running'`)
const looks = async () => (await owner.api.ask(auditPage, { kind: 'support' })).records.map(({ action }) => action)
/** The texts of the files of a ZIP, one after the other. */
function textsOf(zip: string): string {
  const bytes = Buffer.from(zip, 'base64')
  const texts: string[] = []
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const [packed, name] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)]
    const from = at + 30 + name + bytes.readUInt16LE(at + 28)
    texts.push(inflateRawSync(bytes.subarray(from, from + packed)).toString())
    at = from + packed
  }
  return texts.join('\n')
}

describe('a cluster', () => {
  it('is listed by name, found by its owner, and stands among the stuck past its deadline', async () => {
    const page = (filter: object) => support.api.ask(staffClustersPage, filter)
    const found = async (search: string) => (await page({ search })).clusters.map(({ clusterId }) => clusterId)
    expect((await found(owner.did.slice(0, 40))).toSorted()).toEqual([ids.clusterId, ids.selfHostId].toSorted())
    expect(await found(ids.clusterId.slice(0, 8))).toEqual([ids.clusterId])
    expect((await page({ group: 'stuck' })).clusters).toEqual([])
    await isLate()
    expect((await page({ group: 'stuck' })).clusters).toMatchObject([
      { clusterId: ids.clusterId, isStuck: true, person: { userid: owner.did } },
    ])
  })

  it('is opened by who said why today, on the record of its owner', async () => {
    const refused = { clusterId: ids.clusterId }
    for (const call of [staffClusterRetry, staffClusterDiagnostics])
      expect((await support.api.send(call, refused)).code).toBe(codes.conflict)
    expect(await clusterOf()).toBeNull()
    expect(await looks()).toEqual([])
    await support.api.ask(customerLook, { accountId: ids.accountId, reason: 'a create is stuck' })
    expect(await clusterOf()).toMatchObject({ isStuck: true, operations: [{ kind: 'create', state: 'running' }] })
    expect(await looks()).toEqual(['support.look'])
  })

  it('shows failed calls of the provider with who made them', async () => {
    await run(sql`insert into instance_attempts (instance_id, call, at, took_ms, reason, host) values
      (${ids.instanceId}, 'create', now(), 2100, '{"key":"providerSaid","params":{"said":"no space"}}', 'ctl-2')`)
    expect((await clusterOf())?.attempts).toMatchObject([
      { call: 'create', by: 'ctl-2', took: 2100, answer: 'Last answer of the provider: no space.' },
    ])
  })

  it('is tried again now, on the record, but not while a worker is at it', async () => {
    const { clusterId } = ids
    const key = `cluster.reconcile:${clusterId}`
    const hold = (by: string | null) =>
      run(sql`update graphile_worker._private_jobs set locked_by = ${by}, locked_at = now() where key = ${key}`)
    await hold('worker-2')
    expect(await clusterOf()).toMatchObject({ holder: { process: 'worker-2' } })
    expect(await support.api.send(staffClusterRetry, { clusterId })).toMatchObject({
      code: codes.conflict,
      message: 'The worker worker-2 is at it now. Look again in a moment.',
    })
    await hold(null)
    await support.api.ask(staffClusterRetry, { clusterId })
    expect(await looks()).toEqual(['support.retry', 'support.look'])
  })

  it('gives its diagnostics without secrets, people and addresses', async () => {
    const log = [{ step: 'a', state: 'done', lines: ['GET / from 203.0.113.7 and 2001:db8::7 by kai@reef.example'] }]
    await run(sql`update instances set install_log = ${JSON.stringify(log)} where id = ${ids.instanceId}`)
    const { zip } = await support.api.ask(staffClusterDiagnostics, { clusterId: ids.clusterId })
    const text = textsOf(zip)
    expect(text).toContain('GET / from [address] and [address] by [address]')
    expect(text).toContain('no space')
    expect(text).not.toContain(owner.did)
    await run(sql`update instances set install_log = '[]' where id = ${ids.instanceId}`)
  })

  it('is given up: Errored with what support wrote, mailed, and not stuck any more', async () => {
    const { clusterId } = ids
    await run(sql`update accounts set email = 'kai@reef.example' where account_id = ${ids.accountId}`)
    await support.api.ask(staffClusterGiveUp, { clusterId, text: 'The machine has a full disk.' })
    const { operations } = await owner.api.ask(instanceDetails, { clusterId })
    expect(operations[0]).toMatchObject({ state: 'failed', error: 'The machine has a full disk.' })
    expect(await clusterOf()).toMatchObject({ status: 'errored', isStuck: false, mayGiveUp: false })
    const { rows } = await sql`select kind from mails where userid = ${ids.accountId} and kind = 'staff'`.execute(
      app.database.db,
    )
    expect(rows).toEqual([{ kind: 'staff' }])
    expect((await looks())[0]).toBe('support.giveUp')
    const { items } = await support.api.ask(attentionList, {})
    expect(items.filter(({ kind }) => kind === 'stuckClusters')).toEqual([])
    expect(await support.api.send(staffClusterGiveUp, { clusterId, text: 'Once more.' })).toMatchObject({
      message: 'Nothing runs or is stuck on this cluster.',
    })
  })
})

describe('an Admin beside staff', () => {
  it('opens another’s cluster on the owner’s record and acts on none', async () => {
    const [admin, other] = [await app.createPerson('Admin'), await app.createPerson()]
    const { clusterId } = await createIds(app.database, other)
    const told = async () => (await other.api.ask(auditPage, { kind: 'support' })).records
    for (const _ of [1, 2]) await admin.api.ask(instanceDetails, { clusterId })
    expect(await told()).toMatchObject([{ action: 'support.look', actor: null, ip: null, after: null }])
    for (const call of [clusterStop, clusterRestart, clusterRepair])
      expect((await admin.api.send(call, { clusterId })).code).toBe(codes.notFound)
    expect((await admin.api.send(destroyMaster, { clusterId, confirm: true })).code).toBe(codes.notFound)
    expect((await other.api.ask(instanceDetails, { clusterId })).operations).toHaveLength(1)
    expect(await told()).toHaveLength(1)
  })
})

describe('a command of an operator', () => {
  it('is given once approved, on the owner’s record, and refused where the cluster does not let it', async () => {
    const other = await app.createPerson()
    const { clusterId } = await createIds(app.database, other)
    const signer = await createOperator(app)
    const give = (command: string) =>
      signer.act('clusterCommand', staffClusterCommand, { clusterId, command, reason: 'sends mails without end' })
    expect(await give('repair')).toMatchObject({ code: codes.conflict })
    const alone = { clusterId, command: 'stop', reason: 'sends mails without end', approval: 'a.b.c' } as const
    expect((await signer.api.send(staffClusterCommand, alone)).code).not.toBe(codes.ok)
    await run(sql`update instances set status = 'running', resume_stack = '{}' where cluster_id = ${clusterId}`)
    await run(sql`update clusters set status = 'running' where id = ${clusterId}`)
    expect(await give('stop')).toMatchObject({ code: codes.ok })
    const records = (await other.api.ask(auditPage, { kind: 'support' })).records
    expect(records).toMatchObject([{ action: 'support.stop', actor: null, after: { reason: alone.reason } }])
    const { rows } = await sql<{ payload: object }>`select payload from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where task.identifier = 'staff.command'`.execute(app.database.db)
    const job = app.system.jobs.find(({ name }) => name === 'staff.command')
    const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
    for (const _ of [1, 2]) await job?.run(job.payload.parse(rows[0]?.payload) as never, context)
    const { operations } = await other.api.ask(instanceDetails, { clusterId })
    expect(operations.filter(({ kind }) => kind === 'stop')).toHaveLength(1)

    // It may have stopped, or be on its way elsewhere, before the job gives the command: staff read that.
    const late = async () => {
      await run(sql`update attention_looks set looked_at = looked_at - interval '1 minute'`)
      const { items } = await signer.api.ask(attentionList, {})
      return items.filter(({ kind }) => kind === 'lateCommands').map(({ object }) => object)
    }
    expect(await late()).toEqual([])
    await job?.run(job.payload.parse({ ...rows[0]?.payload, requestId: 'rq_late' }) as never, context)
    expect(await late()).toEqual([clusterId])
    await run(sql`update late_commands set at = at - interval '7 days'`)
    expect(await late()).toEqual([])
    const { clusterId: next } = await createIds(app.database, other)
    const asked = { ...rows[0]?.payload, clusterId: next, requestId: 'rq_next' }
    await job?.run(job.payload.parse(asked) as never, context)
    expect((await run(sql`select cluster_id from late_commands`)).rows).toEqual([{ cluster_id: next }])
    await run(sql`update clusters set status = 'destroyed' where id = ${next}`)
    expect(await late()).toEqual([])
  })
})

describe('secrets', () => {
  /** Values of every column that keeps a secret, sealed and plain; what proves a domain is public in DNS. */
  async function listSecrets(): Promise<string[]> {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select table_name as table, column_name as column from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'jsonb')
        and column_name ~ '(token|password|secret|box|salt|recovery|(card|customer)_ref)'
        and table_name <> 'approvals' and column_name <> 'txt_token'`.execute(app.database.db)
    const found = await Promise.all(
      columns.map(({ table, column }) =>
        sql<{ value: string }>`select ${sql.ref(column)}::text as value from ${sql.table(table)}
          where length(${sql.ref(column)}::text) >= 12`.execute(app.database.db),
      ),
    )
    return found.flatMap(({ rows }) => rows.map(({ value }) => value))
  }

  it('are in no answer to staff', async () => {
    const plain = 'one-time-Xq7-swordfish'
    const keys = loadSecretKeys({ secretKey: 'a key for this test alone, 32 characters', dataDir: app.dataDir })
    const sealed = createSealer(keys[0]).seal("instance's first password", plain)
    await run(sql`insert into agents (instance_id, cluster_id, enroll_token_hash, enroll_expires_at, install, one_time_password)
      values (${ids.instanceId}, ${ids.clusterId}, ${'enroll-token-hash-0001'}, now(), '{"state":"none"}', ${sealed})
      on conflict (instance_id) do update set one_time_password = excluded.one_time_password`)
    await run(sql`update clusters set cloudflare_token = 'cloudflare-token-0001', status = 'running'
      where id = ${ids.clusterId}`)
    await run(sql`update instances set status = 'running', has_password = true, resume_stack = '{}'
      where cluster_id = ${ids.clusterId}`)
    await operator.api.ask(customerLook, { accountId: ids.accountId, reason: 'looks for secrets' })
    const token = owner.api.credentials?.token ?? ''
    const secrets = [plain, token, ...(await listSecrets())].filter(
      // Cards and the like are noted by the account, whose id is no secret.
      (secret) => !['', owner.did].includes(secret) && !/^ac_[0-9a-f]{32}$/.test(secret),
    )
    expect(secrets.length).toBeGreaterThan(8)
    expect(JSON.stringify(await send(owner, instanceDetails, ids))).toContain(plain)
    for (const call of calls.filter(mayLook)) {
      const answer = await operator.api.send(call, bodyOf(call, ids), { lookAs: ids.accountId })
      const said = JSON.stringify(answer)
      expect([call.name, secrets.filter((secret) => said.includes(secret))]).toEqual([call.name, []])
    }
    for (const [name, call] of callsThat('staff', 'operator')) {
      const answer = await send(operator, call, ids)
      const data = answer.data as { zip?: string } | undefined
      const said = JSON.stringify(answer) + (data?.zip === undefined ? '' : textsOf(data.zip))
      expect([name, secrets.filter((secret) => said.includes(secret))]).toEqual([name, []])
    }
  })
})
