import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupDetail, backupPause } from '@atoll/contract/backups'
import { createCluster, resourceList } from '@atoll/contract/clusters'
import { findInstanceFolder, listInstanceFolders, patienceMs, until } from '@atoll/testkit'
import { reasonText } from '@atoll/texts/reasons'
import { expect, it } from 'vitest'
import { backUp, needRestic } from '../stack/backups.ts'
import { composeOrder, waitForStatus } from '../stack/clusters.ts'
import { createPerson } from '../stack/people.ts'
import { useStack } from '../stack/use-stack.ts'

/** A machine is made, restored on, and removed again; the machine may be busy. ms */
const timeoutMs = 2 * patienceMs
const testMs = 6 * patienceMs
const password = 'quiet lagoons at low tide'
const stack = useStack({ sql: true, env: async () => ({ RESTIC: await needRestic() }) })

async function query(text: string, ...values: unknown[]) {
  return (await stack.sql.query(text, values)).rows
}

/** A backup with one snapshot of two files, and its drill due. */
async function makeDue() {
  const { api } = await createPerson(stack.server.url)
  const { clusterId } = await api.ask(createCluster, await composeOrder(api, { name: 'Rangiroa' }))
  const { instanceId } = await waitForStatus(api, clusterId, ['inactivated', 'running'])
  const drive = join(findInstanceFolder(stack.server.dataDir, instanceId), 'drive')
  for (const name of ['reef.txt', 'lagoon.txt']) writeFileSync(join(drive, name), name)
  const backupId = await backUp(api, clusterId, password)
  const detail = () => api.ask(backupDetail, { backupId })
  await until('the snapshot is there', async () => (await detail()).backup.lastCompletedAt !== null, { timeoutMs })
  // As if the first run had been two days ago.
  await query("update snapshots set received_at = received_at - interval '2 days' where backup_id = $1", backupId)
  const begin = async () => void (await api.ask(backupPause, { backupId, paused: true }))
  return { api, backupId, detail, begin, clusterId }
}

const drillClusters = () => query("select id, status, desired from clusters where purpose = 'drill'")

async function expectNoneLeft(): Promise<void> {
  await until(
    'the clusters of drills are gone',
    async () => (await drillClusters()).every(({ status }) => status === 'destroyed'),
    { timeoutMs, onTimeout: async () => JSON.stringify(await drillClusters()) },
  )
  const made = await query(
    "select i.id from instances i join clusters c on c.id = i.cluster_id where c.purpose = 'drill'",
  )
  const isLeft = (instanceId: string) => made.some(({ id }) => id === instanceId)
  await until('their files are gone', () => !listInstanceFolders(stack.server.dataDir).some(isLeft), { timeoutMs })
}

it(
  'restores on a machine of its own that nobody sees, compares, and leaves nothing',
  async () => {
    const { api, detail, begin, clusterId } = await makeDue()
    await begin()
    await until('it is drilled', async () => (await detail()).proving?.drillStep === 'restoring' || proved(), {
      timeoutMs,
      onTimeout: async () => JSON.stringify([await detail(), await drillClusters(), stack.server.log.slice(-20)]),
    })
    async function proved() {
      return (await detail()).backup.proof.drill !== null
    }
    const listed = await api.ask(resourceList, {})
    expect(listed.map((cluster) => cluster.clusterId)).toEqual([clusterId])
    await until('it is proved', proved, { timeoutMs })
    expect((await detail()).backup.proof.drill).toMatchObject({ passed: true, files: 2, equal: 2, sameHost: false })
    expect(await drillClusters()).toHaveLength(1)
    await expectNoneLeft()
    expect(stack.server.log.join('\n')).not.toContain(password)
    const said = await query('select params, result from agent_tasks')
    expect(JSON.stringify(said)).not.toContain(password)
  },
  testMs,
)

it(
  'comes to an end where the server is killed while it restores',
  async () => {
    const before = (await drillClusters()).length
    const { api, backupId, detail, begin } = await makeDue()
    await begin()
    const proof = async () => (await detail()).backup.proof
    const ended = async () => (await proof()).drill ?? (await proof()).drillMissed
    await until('it restores', async () => (await detail()).proving?.drillStep === 'restoring' || ended(), {
      timeoutMs,
    })
    await stack.server.kill('SIGKILL')
    await stack.server.restart()
    await until('it has ended', ended, { timeoutMs })
    const { drillMissed } = await proof()
    if (drillMissed) {
      // A restic that begins while the vault is away gives up. It is said so, and tried a day later.
      expect(drillMissed.reason).toBe(reasonText({ key: 'backupUnreachable' }, 'en-US'))
      await expectNoneLeft()
      await query(
        "update backup_chores set created_at = created_at - interval '2 days' where backup_id = $1 and kind = 'drill'",
        backupId,
      )
      await api.ask(backupPause, { backupId, paused: false })
      await begin()
      await until('it is proved', async () => (await proof()).drill, { timeoutMs })
    }
    expect((await proof()).drill).toMatchObject({ passed: true, sameHost: false })
    expect(await drillClusters()).toHaveLength(before + (drillMissed ? 2 : 1))
    await expectNoneLeft()
  },
  testMs,
)
