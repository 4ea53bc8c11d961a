import { createCluster } from '@atoll/contract/clusters'
import { accountAlerts, clusterAlertPreview, clusterAlertSet, clusterAlerts } from '@atoll/contract/observe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { startWholeServer, type WholeServer } from '../../../testing/whole-server.ts'
import { openSamples } from '../postgres/postgres-samples.ts'

let server: WholeServer
beforeAll(async () => {
  // Rules are evaluated by a job: here they stay as the tests set them.
  server = await startWholeServer({ hasJobs: false })
})
afterAll(() => server.close())

const disk = { rule: 'disk', isOn: true, mail: true, threshold: 90, clearBelow: 85, forMinutes: 10 } as const
const changed = { ...disk, threshold: 70, clearBelow: 60, mail: false }

/** Somebody with two clusters, in order of their names. */
async function createOwner(name: string) {
  const person = await server.createPerson(name)
  const create = (cluster: string) =>
    person.api.ask(createCluster, { clusterType: 'SelfHost', reverseProxy: 'none', name: cluster })
  const [{ clusterId: first }, { clusterId: second }] = [await create('Aratika'), await create('Manihi')]
  const read = () => person.api.ask(accountAlerts, {})
  return { ...person, first, second, read }
}
async function masterOf(clusterId: string): Promise<string> {
  const found = await server.database.pool.query<{ id: string }>('select id from instances where cluster_id = $1', [
    clusterId,
  ])
  return found.rows[0]?.id ?? ''
}
const sample = (instanceId: string, at: Date, diskUsed: number) =>
  openSamples(server.database.db, systemClock).write({
    latest: new Map([[instanceId, { at, cpu: 0, memoryUsed: 50, memoryTotal: 100, diskUsed, diskTotal: 1000 }]]),
    parts: [],
  })

test('an account reads the rules of all its clusters, and how full their instances are', async () => {
  const { read, first, second, api } = await createOwner('atolls@atoll.test')
  await api.ask(clusterAlertSet, { clusterId: second, ...changed })
  const [full, silent] = [await masterOf(first), await masterOf(second)]
  await sample(full, new Date(), 919)
  await sample(silent, new Date(Date.now() - 10 * 60_000), 919)
  const { clusters, history } = await read()
  expect(history).toEqual([])
  expect(clusters).toMatchObject([
    { clusterId: first, name: 'Aratika', isWatched: false, current: [] },
    { clusterId: second, name: 'Manihi', levels: [] },
  ])
  expect(clusters[0]?.levels).toEqual([{ instanceId: full, instance: 'master', disk: 91, memory: 50 }])
  const diskOf = (at: number) => clusters[at]?.rules.find(({ rule }) => rule === 'disk')
  expect(diskOf(0)).toEqual(disk)
  expect(diskOf(1)).toEqual(changed)
})

test('what fires and what fired is listed with its cluster and its mails; of a cluster alone it is the same', async () => {
  const { read, first, userid, api } = await createOwner('reefs@atoll.test')
  const instanceId = await masterOf(first)
  await sample(instanceId, new Date(), 950)
  const { pool } = server.database
  const now = Date.now()
  const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
  const [fired, over, again] = [ago(80), ago(60), ago(1)]
  const event = (kind: string, at: string, mailed: string | null) =>
    pool.query(
      `insert into alert_events (owner, cluster_id, instance_id, rule, kind, value, at, mailed_at)
        values ($1, $2, $3, 'disk', $4, 0.95, $5, $6)`,
      [userid, first, instanceId, kind, at, mailed],
    )
  await event('fired', fired, fired)
  await event('cleared', over, over)
  await event('fired', again, null)
  await pool.query(
    `insert into alert_states (series, rule, state, since, seen_at, is_told)
      select series, 'disk', 'firing', $2, $2, false from sample_series where instance_id = $1`,
    [instanceId, again],
  )
  const { clusters, history } = await read()
  expect(clusters[0]?.current).toEqual([
    { rule: 'disk', instanceId, instance: 'master', subject: null, state: 'firing', since: again },
  ])
  expect(clusters[1]?.current).toEqual([])
  const here = { clusterId: first, cluster: 'Aratika', rule: 'disk', instance: 'master', value: 95 }
  expect(history).toMatchObject([
    { ...here, at: again, goesOn: true, clearedAt: null, mailedAt: null, endMailedAt: null },
    { ...here, at: fired, goesOn: false, clearedAt: over, mailedAt: fired, endMailedAt: over },
  ])
  const alone = await api.ask(clusterAlerts, { clusterId: first })
  expect(alone.history).toEqual(history.map(({ clusterId: _, cluster: __, ...past }) => past))
})

test('a rule for all clusters is that of those made later, too, and of nobody else’s; one’s own goes before', async () => {
  const { api, read, userid, first, second } = await createOwner('lagoons@atoll.test')
  const other = await createOwner('others@atoll.test')
  const listChanges = async () => {
    const { rows } = await server.database.pool.query<{ action: string; object_id: string }>(
      `select action, object_id from audit_drafts where owner = $1 and action like 'alertRule.%'
        union all select action, object_id from audit_entries where owner = (select did from account_dids where account_id = $1) and action like 'alertRule.%'`,
      [userid],
    )
    return rows.map(({ action, object_id }) => `${action} ${object_id}`).toSorted()
  }
  const own = { ...disk, threshold: 50, clearBelow: 40 }
  await api.ask(clusterAlertSet, { clusterId: second, ...own })
  await api.ask(clusterAlertSet, { clusterId: 'all', ...changed })
  await api.ask(clusterAlertSet, { clusterId: 'all', ...changed })
  const rulesOf = async (reading: typeof read) =>
    (await reading()).clusters.map(({ rules }) => rules.find(({ rule }) => rule === 'disk'))
  expect(await rulesOf(read)).toEqual([changed, changed])
  expect(await rulesOf(other.read)).toEqual([disk, disk])
  // The second cluster's own rule is recorded as replaced.
  const [all, one] = [`alertRule.changeAll ${userid}`, `alertRule.change ${second}`]
  expect(await listChanges()).toEqual([one, one, all])

  await api.ask(createCluster, { clusterType: 'SelfHost', reverseProxy: 'none', name: 'Toau' })
  await api.ask(clusterAlertSet, { clusterId: first, ...own })
  expect(await rulesOf(read)).toEqual([own, changed, changed])
  const { rules } = await read()
  expect(rules.find(({ rule }) => rule === 'disk')).toEqual(changed)
  expect((await other.read()).rules.find(({ rule }) => rule === 'disk')).toEqual(disk)
})

test('an Admin reads and sets the rules of their own clusters alone', async () => {
  const { read, first } = await createOwner('islanders@atoll.test')
  const admin = await server.createPerson('keeper@atoll.test')
  await server.database.pool.query(`update accounts set role = 'Admin' where account_id = $1`, [admin.userid])
  expect(await admin.api.ask(accountAlerts, {})).toMatchObject({ clusters: [], history: [] })
  await admin.api.ask(clusterAlertSet, { clusterId: 'all', ...changed })
  expect((await read()).clusters[0]).toMatchObject({ clusterId: first })
  expect((await read()).clusters[0]?.rules.find(({ rule }) => rule === 'disk')).toEqual(disk)
})

test('a preview of every cluster counts over all of them', async () => {
  const { api, first, second } = await createOwner('passes@atoll.test')
  const now = Date.now()
  const begin = Math.floor(now / 3600_000) * 3600_000 - 6 * 3600_000
  for (const clusterId of [first, second]) {
    const instanceId = await masterOf(clusterId)
    const parts = Array.from({ length: 60 }, (_, minute) => {
      const figures = { cpu: 0, cpuMax: 0, memory: 1, memoryMax: 1, disk: 95, netIn: 0, netOut: 0 }
      return { instanceId, at: new Date(begin + minute * 60_000 + 1000), samples: 1, ...figures }
    })
    const latest = { at: new Date(now), cpu: 0, memoryUsed: 1, memoryTotal: 10, diskUsed: 40, diskTotal: 100 }
    await openSamples(server.database.db, systemClock).write({ latest: new Map([[instanceId, latest]]), parts })
  }
  const choice = { rule: 'disk', forMinutes: 10, threshold: 90, clearBelow: 85 } as const
  expect(await api.ask(clusterAlertPreview, { clusterId: first, ...choice })).toMatchObject({ times: 1 })
  expect(await api.ask(clusterAlertPreview, { clusterId: 'all', ...choice })).toMatchObject({ times: 2 })
})
