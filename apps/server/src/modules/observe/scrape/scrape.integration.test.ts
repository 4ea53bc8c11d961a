import { clusterRename, createCluster, instanceDetails } from '@atoll/contract/clusters'
import { metricsTokenMake, metricsTokenRevoke, metricsTokenShow, openMetricsPath } from '@atoll/contract/observe'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { startWholeServer, type WholeServer } from '../../../testing/whole-server.ts'
import { openSamples } from '../postgres/postgres-samples.ts'
import { parseOpenMetrics } from '../testing/parse-open-metrics.ts'

let server: WholeServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

const scrape = (token: string) =>
  fetch(new URL(openMetricsPath, server.origin), { headers: { authorization: `Bearer ${token}` } })

/** A person with a machine of their own that reported `agoMs` ago. */
async function createOwner(id: string, name: string, agoMs = 1000) {
  const person = await server.createPerson(`${id}@atoll.test`)
  const { clusterId } = await person.api.ask(createCluster, { clusterType: 'SelfHost', reverseProxy: 'none' })
  await person.api.ask(clusterRename, { clusterId, name })
  const { data } = await person.api.ask(instanceDetails, { clusterId })
  const instanceId = data[0]?.instanceId ?? ''
  const sample = { cpu: 0.25, memoryUsed: 2e9, memoryTotal: 8e9, diskUsed: 5e9, diskTotal: 40e9 }
  await openSamples(server.database.db, systemClock).write({
    latest: new Map([[instanceId, { at: new Date(Date.now() - agoMs), ...sample }]]),
    parts: [],
  })
  return { ...person, clusterId, instanceId }
}

test('a token reads the newest measurements of its own account, as OpenMetrics', async () => {
  const { api, clusterId, instanceId } = await createOwner('reef', '礁石 Reef')
  const other = await createOwner('lagoon', 'Lagoon')
  expect(await api.ask(metricsTokenShow, {})).toEqual({ token: null })
  const { token, url } = await api.ask(metricsTokenMake, {})
  expect(url).toBe(`${server.origin}${openMetricsPath}`)
  const answer = await scrape(token)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  const text = await answer.text()
  expect(text).not.toContain(other.clusterId)
  const families = parseOpenMetrics(text)
  const readValue = (name: string, labels: Record<string, string>) =>
    families.get(name)?.samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value
  const labels = { cluster_id: clusterId, instance_id: instanceId }
  expect(readValue('atoll_instance_cpu_ratio', labels)).toBe(0.25)
  expect(readValue('atoll_instance_memory_used_bytes', labels)).toBe(2e9)
  expect(readValue('atoll_instance_disk_size_bytes', labels)).toBe(40e9)
  expect(families.get('atoll_instance_disk_size_bytes')).toMatchObject({ type: 'gauge', unit: 'bytes' })
  // Prometheus sets these labels, and would rename ours.
  expect(
    [...families.values()]
      .flatMap(({ samples }) => samples)
      .filter(({ labels: own }) => 'instance' in own || 'job' in own),
  ).toEqual([])
  const names = { cluster_name: '礁石 Reef', instance_name: 'master' }
  expect(readValue('atoll_instance_info', { ...labels, ...names })).toBe(1)
  expect(readValue('atoll_plan_used_bytes', { product: 'cloud_traffic' })).toBe(0)
  expect(readValue('atoll_plan_quota_bytes', { product: 'cloud_traffic' })).toBeGreaterThan(0)
  expect((await api.ask(metricsTokenShow, {})).token?.usedAt).toBeTypeOf('string')
})

test('an instance that did not report lately has the time of its last report alone', async () => {
  const { api, instanceId } = await createOwner('silent', 'Silent', 600_000)
  const { token } = await api.ask(metricsTokenMake, {})
  const families = parseOpenMetrics(await (await scrape(token)).text())
  expect(families.get('atoll_instance_cpu_ratio')?.samples).toEqual([])
  expect(families.get('atoll_instance_sampled_timestamp_seconds')?.samples).toMatchObject([
    { labels: { instance_id: instanceId } },
  ])
})

test('a token asks once in five seconds; one that was replaced or revoked, or is none, is refused at once', async () => {
  const { api, userid } = await server.createPerson()
  const { token: first } = await api.ask(metricsTokenMake, {})
  // The server's clock, which runs in this process: on a busy machine the three may be five seconds apart.
  const askedAt = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: askedAt })
  const answers = await Promise.all([scrape(first), scrape(first), scrape(first)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429])
  expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('5')
  vi.setSystemTime(askedAt + 5000)
  expect((await scrape(first)).status).toBe(200)
  vi.useRealTimers()
  const { token } = await api.ask(metricsTokenMake, {})
  expect((await scrape(first)).status).toBe(401)
  expect((await scrape(token)).status).toBe(200)
  await api.ask(metricsTokenRevoke, {})
  await api.ask(metricsTokenRevoke, {})
  const refused = await scrape(token)
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  for (const wrong of ['', 'x'.repeat(300), '%00']) expect((await scrape(wrong)).status).toBe(401)
  const { rows } = await server.database.pool.query(
    'select action from audit_drafts where owner = $1 union all select action from audit_entries where owner = (select did from account_dids where account_id = $1)',
    [userid],
  )
  expect(rows.filter(({ action }) => action.startsWith('metricsToken.'))).toHaveLength(3)
  const everything = await server.readEverything()
  expect(everything).not.toContain(first)
  expect(everything).not.toContain(token)
})
