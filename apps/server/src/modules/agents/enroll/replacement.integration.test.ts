/** A machine in the place of another: what becomes of the agent of the old one, as a real process. */
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { machineRefusalCodes } from '@atoll/contract/agents'
import { codes } from '@atoll/contract/wire'
import { until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AgentWorld, agentToken, createAgentWorld, type Place } from '../testing/agent-world.ts'

let world: AgentWorld
/** The master that is replaced by the machine that comes next; undefined: none can be. */
let master: Place | undefined
const asked: object[] = []

beforeAll(async () => {
  world = await createAgentWorld({
    async replaceMaster(_, of, agents) {
      if (!master) return undefined
      asked.push(of)
      await agents.forget(master.instanceId)
      const { instanceId } = world.newInstance()
      await agents.make(instanceId)
      return instanceId
    },
  })
})
afterEach(() => world.killAgents())
afterAll(() => world.close())

async function issue(restore: { backupId: string } | null = null): Promise<string> {
  const { enrollCommands } = world.api.agents
  const clusterId = master?.clusterId ?? ''
  const issued = await world.trx((at) => enrollCommands.issueForReplacement(at, { clusterId, restore }))
  return enrollCommands.describe(issued).enrollToken
}

test('the old machine serves until the new one comes; then it stops, says why, and can join again', async () => {
  const old = world.newInstance()
  master = old
  const first = world.start(old.instanceId, await world.issue(old))
  await world.waitFor(old.instanceId, 'connected', ({ connected }) => connected)
  const token = await issue({ backupId: 'bk_reef000000' })
  const ask = async (port: number) => await fetch(`http://127.0.0.1:${port}/api/session`)
  expect((await ask(await first.port())).status).toBe(200)
  expect((await world.see(old.instanceId))?.connected).toBe(true)

  expect(await world.enroll(token, 'new machine')).toBe(codes.ok)
  expect(asked.at(-1)).toMatchObject({ clusterId: old.clusterId, restore: { backupId: 'bk_reef000000' } })
  await until('the old one says why', async () => first.log().includes('has taken the place of this one'))
  const identity = join(world.folder, old.instanceId, 'agent.json')
  await until(
    'its identity is gone',
    async () =>
      await access(identity).then(
        () => false,
        () => true,
      ),
  )
  const refused = await ask(await first.port())
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'machineReplaced' }])
  await first.kill('SIGTERM')

  // It stays so after a restart, with nothing to enroll with and nothing to dial.
  const again = world.start(old.instanceId, '', world.api.origin, {
    ATOLL_AGENT_ENROLL_TOKEN: undefined,
    ATOLL_AGENT_INSTANCE: undefined,
  })
  expect((await ask(await again.port())).status).toBe(503)
  await until('it says so again', async () => again.log().includes('has taken the place of this one'))
  await again.kill('SIGTERM')

  const fresh = world.newInstance()
  const joined = world.start(old.instanceId, await world.issue(fresh), world.api.origin, {
    ATOLL_AGENT_INSTANCE: fresh.instanceId,
  })
  await world.waitFor(fresh.instanceId, 'connected', ({ connected }) => connected)
  await until('it serves again', async () => (await ask(await joined.port())).status === 200)
  expect(JSON.parse(await readFile(identity, 'utf8'))).toMatchObject({ instanceId: fresh.instanceId })
})

test('an agent that comes back later is let in to hear why, and nobody else is', async () => {
  const { mine, socket } = await world.connect()
  master = mine
  const authorization = `Bearer ${mine.instanceId}.${agentToken}`
  socket.terminate()
  expect(await world.enroll(await issue(), 'new machine 2')).toBe(codes.ok)
  expect(await world.api.agents.proveInstance(world.db, authorization)).toBeUndefined()
  expect(await world.api.agents.meetDial({ authorization })).toEqual({ refusal: 'machineReplaced' })
  const back = await world.openChannel(authorization)
  const ended = new Promise<[number, string]>((resolve) =>
    back.socket.once('close', (code, reason) => resolve([code, reason.toString()])),
  )
  expect([back.status, await ended]).toEqual([101, [machineRefusalCodes.machineReplaced, 'machineReplaced']])
  expect((await world.openChannel(`${authorization}x`)).status).toBe(401)
})

test('the newest command brings one machine, and none where the cluster cannot have another', async () => {
  const { mine } = await world.connect()
  master = mine
  const [first, second] = [await issue(), await issue()]
  master = undefined
  expect(await world.enroll(second, 'too early'), 'it is not spent by that').toBe(codes.forbidden)
  master = mine
  expect(await world.enroll(first, 'late')).toBe(codes.forbidden)
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => world.enroll(second, name)))
  expect(answers.filter((code) => code === codes.ok)).toHaveLength(1)
})
