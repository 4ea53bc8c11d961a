import { createCluster } from '@atoll/contract/clusters'
import { clusterAlertPreview, clusterAlertSet, clusterAlerts } from '@atoll/contract/observe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { startWholeServer, type WholeServer } from '../../../testing/whole-server.ts'
import { openSamples } from '../postgres/postgres-samples.ts'

let server: WholeServer
let owner: Awaited<ReturnType<typeof createOwner>>
beforeAll(async () => {
  server = await startWholeServer()
  owner = await createOwner('reef@atoll.test')
})
afterAll(() => server.close())

async function createOwner(name: string) {
  const person = await server.createPerson(name)
  const { clusterId } = await person.api.ask(createCluster, { clusterType: 'SelfHost', reverseProxy: 'none' })
  return { ...person, clusterId }
}
const listRecords = async (owner: string) => {
  const { rows } = await server.database.pool.query<{ before: string; after: string }>(
    `select action, before, after from audit_drafts where owner = $1 and action = 'alertRule.change'
      union all select action, before, after from audit_entries where owner = (select did from account_dids where account_id = $1) and action = 'alertRule.change'`,
    [owner],
  )
  return rows.map(({ before, after }) => ({ before: JSON.parse(before), after: JSON.parse(after) }))
}
const disk = { rule: 'disk', isOn: true, mail: true, threshold: 90, clearBelow: 85, forMinutes: 10 } as const

test('who owns a cluster sets its rules; each change is written down once', async () => {
  const { api, clusterId, userid } = await createOwner('lagoon@atoll.test')
  const read = async () => (await api.ask(clusterAlerts, { clusterId })).rules.find(({ rule }) => rule === 'disk')
  expect(await read()).toEqual(disk)
  await api.ask(clusterAlertSet, { clusterId, ...disk })
  expect(await listRecords(userid)).toEqual([])
  const change = { ...disk, threshold: 70, clearBelow: 60, mail: false }
  await api.ask(clusterAlertSet, { clusterId, ...change })
  await api.ask(clusterAlertSet, { clusterId, ...change })
  expect(await read()).toEqual(change)
  const facts = { alert: 'disk', watched: true, forMinutes: 10 }
  expect(await listRecords(userid)).toEqual([
    {
      before: { ...facts, mailed: true, threshold: 90, clearBelow: 85 },
      after: { ...facts, mailed: false, threshold: 70, clearBelow: 60 },
    },
  ])
})

test.each([
  [{ ...disk, threshold: undefined }, 'threshold'],
  [{ ...disk, clearBelow: undefined }, 'clearBelow'],
  [{ ...disk, clearBelow: 91 }, 'clearBelow'],
  [{ ...disk, threshold: 100 }, 'threshold'],
  [{ ...disk, threshold: 1e300 }, 'threshold'],
  [{ ...disk, forMinutes: 0 }, 'forMinutes'],
  [{ ...disk, forMinutes: 1441 }, 'forMinutes'],
  [{ ...disk, rule: 'offline' as const }, 'threshold'],
  [{ ...disk, rule: 'cpu' as 'disk' }, 'rule'],
])('%j is refused, naming %s, and changes nothing', async (change, field) => {
  const { code, message } = await owner.api.send(clusterAlertSet, { clusterId: owner.clusterId, ...change })
  expect(code).not.toBe(200)
  expect(message).toContain(field)
  expect(await listRecords(owner.userid)).toEqual([])
})

test('a preview says how often a rule would have fired with what was measured', async () => {
  const { clusterId, api } = owner
  const { rows } = await server.database.pool.query<{ id: string }>('select id from instances where cluster_id = $1', [
    clusterId,
  ])
  const id = rows[0]?.id ?? ''
  const choice = { clusterId, rule: 'disk', forMinutes: 10, threshold: 90, clearBelow: 85 } as const
  expect(await api.ask(clusterAlertPreview, choice)).toEqual({ times: 0, lastAt: null, points: [] })
  const now = Date.now()
  const begin = Math.floor(now / 3600_000) * 3600_000 - 6 * 3600_000
  const parts = Array.from({ length: 300 }, (_, minute) => {
    const isFull = (minute >= 60 && minute < 80) || (minute >= 200 && minute < 205)
    const disk = isFull ? 95 : 40
    const figures = { cpu: 0, cpuMax: 0, memory: 1, memoryMax: 1, disk, netIn: 0, netOut: 0 }
    return { instanceId: id, at: new Date(begin + minute * 60_000 + 1000), samples: 1, ...figures }
  })
  const latest = { at: new Date(now), cpu: 0, memoryUsed: 1, memoryTotal: 10, diskUsed: 40, diskTotal: 100 }
  await openSamples(server.database.db, systemClock).write({ latest: new Map([[id, latest]]), parts })
  const lastAt = new Date(begin + 70 * 60_000).toISOString()
  const found = await api.ask(clusterAlertPreview, choice)
  expect(found).toMatchObject({ times: 1, lastAt })
  expect(Math.max(...found.points.map(([, percent]) => percent))).toBe(95)
  expect(await api.ask(clusterAlertPreview, { ...choice, forMinutes: 4 })).toMatchObject({ times: 2 })
  expect(await api.ask(clusterAlertPreview, { ...choice, threshold: 96 })).toMatchObject({ times: 0 })
  const refused = await api.send(clusterAlertPreview, { ...choice, clearBelow: 91 })
  expect(refused.code).not.toBe(200)
  expect(refused.message).toContain('clearBelow')
})
