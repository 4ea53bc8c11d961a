import { expect, test } from 'vitest'
import { useBilledHarness } from '../modules/clusters/testing/billed-harness.ts'
import { listRegisteredHosts } from './registered-hosts.ts'

const { bills, harness } = useBilledHarness()

test('only the agent of the master registers names of a cluster, whatever its workers report', async () => {
  const clusterId = await bills.running()
  const worker = await bills.addWorker(clusterId)
  const { master } = await harness.rows(clusterId)
  const report = async (instanceId: string, hosts: string[] | null) =>
    await harness.database.pool.query(
      `insert into agents (instance_id, cluster_id, hosts, enroll_token_hash, enroll_expires_at, install)
       values ($1, $2, $3, $1, now(), '{}')
       on conflict (instance_id) do update set hosts = excluded.hosts`,
      [instanceId, clusterId, hosts && JSON.stringify(hosts)],
    )
  await report(worker.instanceId, ['stolen'])
  expect(await listRegisteredHosts(harness.db, clusterId)).toBeNull()
  await report(master.id, ['photos'])
  expect(await listRegisteredHosts(harness.db, clusterId)).toEqual(['photos'])
  await report(master.id, [])
  expect(await listRegisteredHosts(harness.db, clusterId)).toEqual([])
  expect(await listRegisteredHosts(harness.db, 'cl_none')).toBeNull()
})
