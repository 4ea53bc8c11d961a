/** One object of each kind that an account can have, and a reading of their state. */
import { backupCreate, backupSave } from '@atoll/contract/backups'
import { createCluster, instanceDetails } from '@atoll/contract/clusters'
import { createScriptedWallet } from '@atoll/testkit'
import { insertHold } from '../../modules/accounts/index.ts'
import { insertVoidOrder } from '../../modules/billing/testing/void-order.ts'
import { insertInstance } from '../../modules/clusters/instances/instance-store.ts'
import { newId } from '../../platform/crypto.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import type { Ids } from '../call-bodies.fixture.ts'
import type { Person } from './test-app.ts'

const order = {
  clusterType: 'Cloud',
  cloudName: 'local',
  regionId: 'local',
  offering: 'tide-2',
  version: '1.0.0',
} as const

/** A cluster of the owner with a worker, a machine of their own, and a second session. */
export async function createIds({ db }: Database, { userid, did, api }: Person): Promise<Ids> {
  const { clusterId } = await api.ask(createCluster, order)
  const { clusterId: selfHostId } = await api.ask(createCluster, { clusterType: 'SelfHost', reverseProxy: 'none' })
  const { data, operations } = await api.ask(instanceDetails, { clusterId })
  const worker = await db.transaction().execute((trx) =>
    insertInstance(
      trx,
      {
        cluster_id: clusterId,
        owner: userid,
        role: 'worker',
        ordinal: 1,
        offering: 'tide-2',
        cpu_core_count: 2,
        memory_mib: 4096,
        disk_mib: 40_960,
      },
      new Date(),
    ),
  )
  const [session] = await db
    .insertInto('sessions')
    .columns(['id', 'userid', 'token_hash', 'device_kind', 'created_at', 'last_seen_at', 'expires_at'])
    .expression((from) =>
      from
        .selectFrom('sessions')
        .select((each) => [
          each.val(newId('ss')).as('id'),
          'userid',
          each.val(newId('ss')).as('token_hash'),
          'device_kind',
          'created_at',
          'last_seen_at',
          'expires_at',
        ])
        .where('userid', '=', userid)
        .limit(1),
    )
    .returning('id')
    .execute()
  const card = await db
    .insertInto('payment_methods')
    .values({
      id: newId('pm'),
      userid,
      gateway: 'sandbox',
      customer_ref: userid,
      card_ref: newId('sb'),
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2040,
      is_default: false,
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { backupId } = await api.ask(backupCreate, {
    clusterId,
    name: 'Everything',
    paths: ['/'],
    schedule: { every: 'day', at: '03:00' },
    timeZone: 'UTC',
    runNow: true,
  })
  const { id: snapshotId } = await db
    .selectFrom('snapshots')
    .select('id')
    .where('backup_id', '=', backupId)
    .executeTakeFirstOrThrow()
  const { repo_id } = await db
    .selectFrom('backups')
    .select('repo_id')
    .where('id', '=', backupId)
    .executeTakeFirstOrThrow()
  const grantId = newId('vg')
  await db
    .insertInto('vault_grant_history')
    .values({ id: grantId, repo_id, rights: 'write', task_id: newId('at'), created_at: new Date() })
    .execute()
  const clientBackupId = 'their-photos'
  await api.ask(backupSave, {
    backupId: clientBackupId,
    name: 'Photos',
    backupTime: 1_800_000_000,
    backupLocation: 'space',
  })
  const domain = await db
    .insertInto('domains')
    .values({
      userid,
      name: `${newId('sb').slice(3)}.lagoon.example`,
      is_apex: false,
      method: 'cname',
      status: 'WAIT_RULE_SET',
      txt_token: newId('sb'),
      proven_at: new Date(),
      checks_since: new Date(),
      created_at: new Date(),
      updated_at: new Date(),
    })
    .returning(['number', 'name'])
    .executeTakeFirstOrThrow()
  await db.insertInto('domain_members').values({ domain: domain.number, name: 'kai', created_at: new Date() }).execute()
  const accountId = userid
  const holdId = newId('hd')
  await db.transaction().execute((trx) =>
    insertHold(trx, {
      id: holdId,
      account_id: accountId,
      cluster_id: selfHostId,
      scope: 'visitors',
      reason: 'asked',
      text: 'As you asked.',
      answer_by: null,
      until: null,
      held_by: accountId,
      held_at: new Date(),
    }),
  )
  const reportId = newId('ab')
  await db
    .insertInto('abuse_reports')
    .values({
      id: reportId,
      what: 'reef.example',
      reporter: 'abuse@example.com',
      text: 'It sends spam.',
      seen_at: new Date(),
      written_at: new Date(),
      written_by: accountId,
      account_id: accountId,
    })
    .execute()
  await insertComingUpdate(db, clusterId, data[0]?.instanceId ?? '')
  return {
    userid: did,
    accountId,
    holdId,
    reportId,
    clusterId,
    backupId,
    snapshotId,
    grantId,
    clientBackupId,
    selfHostId,
    instanceId: data[0]?.instanceId ?? '',
    workerId: worker.id,
    operationId: operations[0]?.operationId ?? '',
    sessionId: session?.id ?? '',
    cardId: card.id,
    domain: domain.name,
    ...(await db.transaction().execute((trx) => insertVoidOrder(trx, userid))),
  }
}

/** Ids of objects that do not exist. */
export const nobodys: Ids = {
  userid: createScriptedWallet().did,
  accountId: `ac_${'a'.repeat(32)}`,
  holdId: `hd_${'a'.repeat(20)}`,
  reportId: `ab_${'a'.repeat(20)}`,
  clusterId: `cl_${'a'.repeat(20)}`,
  selfHostId: `cl_${'b'.repeat(20)}`,
  instanceId: `in_${'a'.repeat(20)}`,
  workerId: `in_${'b'.repeat(20)}`,
  operationId: `op_${'a'.repeat(20)}`,
  sessionId: `ss_${'a'.repeat(20)}`,
  cardId: `pm_${'a'.repeat(20)}`,
  subscriptionId: `sub_${'a'.repeat(20)}`,
  invoiceId: `inv_${'a'.repeat(20)}`,
  paymentId: `pay_${'a'.repeat(20)}`,
  backupId: `bk_${'a'.repeat(20)}`,
  snapshotId: `sn_${'a'.repeat(20)}`,
  grantId: `vg_${'a'.repeat(20)}`,
  clientBackupId: 'nobodys-photos',
  domain: 'nobodys.lagoon.example',
}

/** Everything of the owner that a call could change. */
export async function stateOf({ db }: Database, userid: string): Promise<unknown> {
  return await Promise.all([
    db
      .selectFrom('accounts')
      .select(['avatar', 'email', 'role', 'can_create_cluster', 'vcpu_quota', 'plan_level'])
      .where('account_id', '=', userid)
      .execute(),
    db.selectFrom('sessions').select(['id', 'expires_at']).where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('clusters').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('instances').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('operations').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('payment_methods').selectAll().where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('subscriptions').selectAll().where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('invoices').selectAll().where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('payments').selectAll().where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('backups').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('snapshots').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('restores').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('client_backups').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('domains').selectAll().where('userid', '=', userid).orderBy('number').execute(),
  ])
}

/** An update of the agent that waits for the cluster's wave, as the one open rollout has it. */
async function insertComingUpdate(db: Db, clusterId: string, instanceId: string): Promise<void> {
  const now = new Date()
  await db
    .insertInto('rollouts')
    .values({ id: 'ro_coming', kind: 'agent', version: '9.9.9', state: 'running', wave_at: now, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('rollout_targets')
    .values({ rollout_id: 'ro_coming', instance_id: instanceId, cluster_id: clusterId, wave: 3, changed_at: now })
    .execute()
}
