import { createCluster, destroyMaster, type Resource, resourceList } from '@atoll/contract/clusters'
import { createSeededRandom, type ServerProcess, startServer } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeOrder, waitForStatus, waitUntilGone } from '../stack/clusters.ts'
import { type CrashPoint, type CrashScope, crashDuring, nameOf } from '../stack/faults/crash.ts'
import { expectSound } from '../stack/faults/soundness.ts'
import { createPerson, type Person } from '../stack/people.ts'

const seed = Number(process.env['TEST_SEED'] ?? 20_261_121)
const random = createSeededRandom(seed)
const scopes: [CrashScope, ...CrashScope[]] = ['server', 'server and database', 'machine']

/** The moments of the deep tier. */
export const points: CrashPoint[] = [
  { at: 'answer' },
  { at: 'status', status: 'fetching' },
  { at: 'status', status: 'queuing' },
  { at: 'status', status: 'pending' },
  { at: 'status', status: 'installing' },
  { at: 'step', index: 3 },
  // The request takes some ten milliseconds, everything after it less than half a second on a quiet machine.
  { at: 'delay', ms: random.between(0, 6) },
  { at: 'delay', ms: random.between(7, 400) },
]

/** Statuses in which the kill came exactly. */
export const metStatuses: string[] = []

let server: ServerProcess
let person: Person
beforeAll(async () => {
  server = await startServer()
  person = await createPerson(server.url)
})
afterAll(() => server?.dispose())

/** Removes what a failed round left behind, so that the next one starts clean. */
async function clear(): Promise<void> {
  for (const { clusterId } of await person.api.ask(resourceList, {})) {
    await person.api.ask(destroyMaster, { clusterId, confirm: true })
    await waitUntilGone(person.api, clusterId)
  }
}

/** Kills at each of these moments, in turn the server, its database with it, and the machine. */
export function describeKills(moments: readonly CrashPoint[]): void {
  const rounds = moments.map((point, round) => {
    const scope = scopes[round % scopes.length] ?? 'server'
    return { point, moment: nameOf(point), scope, round }
  })
  describe(`a cluster that is created (seed ${seed})`, () => {
    it.each(rounds)('is there once though the $scope was killed $moment', async ({ point, scope, round }) => {
      const { api } = person
      await clear()
      const order = await composeOrder(api, { name: `crash ${round}`, requestId: `crash-create-${seed}-${round}` })
      const findIt = async (): Promise<Resource | undefined> => (await api.ask(resourceList, {}))[0]
      const { answer, met } = await crashDuring({
        server,
        scope,
        point,
        send: () => api.send(createCluster, order),
        find: findIt,
      })
      if (met && point.at === 'status') metStatuses.push(point.status)
      expect(answer).toMatchObject({ code: 200 })

      const clusters = await api.ask(resourceList, {})
      expect(clusters).toHaveLength(1)
      const clusterId = createCluster.data.parse(answer.data).clusterId
      expect(clusters[0]?.clusterId).toBe(clusterId)
      const running = await waitForStatus(api, clusterId, ['inactivated'])
      await expectSound(server, api, { instances: [{ instanceId: running.instanceId, running: true }] })
      const again = await api.send(createCluster, order)
      expect(again).toMatchObject({ code: 200, data: { clusterId } })

      await api.ask(destroyMaster, { clusterId, confirm: true })
      await waitUntilGone(api, clusterId)
      await expectSound(server, api, { instances: [] })
    })
  })
}
