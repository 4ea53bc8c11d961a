/**
 * A server on a cluster of three LXD members, over HTTPS. One member is lost as a machine without power is; what was
 * on it is shown as it is, comes back with the member, or is recreated elsewhere when its owner says so.
 */
import { clusterRepair, createCluster, destroyMaster, type Resource, resourceList } from '@atoll/contract/clusters'
import { type LxdCluster, type ServerProcess, startLxdCluster, until, whyNoLxd } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeOrder, createRunningCluster, findCluster, waitForStatus, waitUntilGone } from '../stack/clusters.ts'
import { clusterAccess, startLxdServerProcess, visit } from '../stack/lxd-cloud.ts'
import { createPerson, type Person } from '../stack/people.ts'

const missing = whyNoLxd()
/** LXD takes up to 20 s to call a member lost, an agent counts as silent after 15 s. */
const lossMs = 60_000

describe.skipIf(missing)(missing ? `clusters on three LXDs: ${missing}` : 'clusters on three LXDs', () => {
  let lxd: LxdCluster
  let server: ServerProcess
  let person: Person
  /** Both on n3; only one of them may be recreated elsewhere. */
  let onlyThird: Resource
  let movable: Resource
  beforeAll(async () => {
    lxd = await startLxdCluster()
    const regions = [{ regionId: 'anywhere' }, { regionId: 'third', members: ['n3'] }]
    const access = clusterAccess(lxd, [...regions, { regionId: 'second-or-third', members: ['n2', 'n3'] }])
    server = await startLxdServerProcess(access)
    person = await createPerson(server.url)
    onlyThird = await createRunningCluster(person.api, { regionId: 'third' })
    movable = await until('a cluster on n3 by chance', async () => {
      const cluster = await createRunningCluster(person.api, { regionId: 'second-or-third' })
      return membersWith(cluster.instanceId).includes('n3') && cluster
    })
  })
  afterAll(async () => {
    await server?.dispose()
    await lxd?.dispose()
  })

  /** Where a container of the instance runs, asked of the machines and not of LXD. */
  function membersWith(instanceId: string): string[] {
    const name = `atoll_${instanceId.replace('_', '-')}`
    return lxd.members.filter((member) => member.containers().has(name)).map(({ name: member }) => member)
  }
  const statusOf = async (cluster: Resource) => (await visit(server, cluster.url ?? '', { path: '/api/status' })).status

  it('runs in the region that was ordered, and is reached there', async () => {
    expect(membersWith(onlyThird.instanceId)).toEqual(['n3'])
    expect(await statusOf(onlyThird)).toBe(200)
  })

  it('shows what is on a lost member as offline, with its name, and nothing else of others', async () => {
    const others = (await person.api.ask(resourceList, {})).filter(
      ({ clusterId }) => clusterId !== onlyThird.clusterId && clusterId !== movable.clusterId,
    )
    await lxd.members[2]?.kill()
    lxd.setLink('n3', 'down')
    for (const { clusterId } of [onlyThird, movable]) {
      const shown = await waitForStatus(person.api, clusterId, ['offline'], lossMs)
      expect(shown.error).toContain('n3')
      expect(shown.actions).toEqual(expect.arrayContaining(['repair', 'destroyMaster']))
    }
    for (const { clusterId } of others) {
      expect((await findCluster(person.api, clusterId))?.status).toBe('inactivated')
    }
  })

  it('makes new ones on the others meanwhile', async () => {
    const cluster = await createRunningCluster(person.api, { regionId: 'second-or-third' })
    expect(membersWith(cluster.instanceId)).toEqual(['n2'])
    const order = await composeOrder(person.api, { regionId: 'third' })
    const { clusterId } = await person.api.ask(createCluster, order)
    // It waits for the member, says so, and can be given up.
    await until('the operation says what holds it up', async () =>
      (await findCluster(person.api, clusterId))?.operation?.steps.some(({ detail }) => detail?.includes('n3')),
    )
    await person.api.ask(destroyMaster, { clusterId, confirm: true })
    await waitUntilGone(person.api, clusterId)
  })

  it('recreates one elsewhere when its owner says so', async () => {
    const { clusterId } = movable
    await person.api.ask(clusterRepair, { clusterId })
    const repaired = await waitForStatus(person.api, clusterId, ['inactivated'])
    expect(membersWith(repaired.instanceId)).toEqual(['n2'])
    expect(await statusOf(repaired)).toBe(200)
    expect(repaired.url).toBe(movable.url)
  })

  it('finds the other as it was when the member is back, and removes what was recreated', async () => {
    lxd.setLink('n3', 'up')
    await lxd.members[2]?.start()
    const back = await waitForStatus(person.api, onlyThird.clusterId, ['inactivated'], lossMs)
    expect(back.instanceId).toBe(onlyThird.instanceId)
    expect(await statusOf(back)).toBe(200)
    await until('the old instance is removed', () => membersWith(movable.instanceId).length === 0, {
      timeoutMs: lossMs,
    })
    const now = await findCluster(person.api, movable.clusterId)
    expect(membersWith(now?.instanceId ?? '')).toEqual(['n2'])
  })

  it('destroys all of it', async () => {
    const clusters = await person.api.ask(resourceList, {})
    for (const { clusterId } of clusters) await person.api.ask(destroyMaster, { clusterId, confirm: true })
    for (const { clusterId } of clusters) await waitUntilGone(person.api, clusterId)
    expect(lxd.members.flatMap((member) => [...member.containers().keys()])).toEqual([])
  })
})
