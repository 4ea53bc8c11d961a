/** A machine in the place of another: what becomes of the agent of the old one, as a real process. */
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { machineRefusalCodes } from '@atoll/contract/agents'
import { codes } from '@atoll/contract/wire'
import { until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AgentHarness, agentToken, createAgentHarness, type Place } from '../testing/agent-harness.ts'

let harness: AgentHarness
/** The master that is replaced by the machine that comes next; undefined: none can be. */
let master: Place | undefined
const asked: object[] = []

beforeAll(async () => {
  harness = await createAgentHarness({
    async replaceMaster(_, of, agents) {
      if (!master) return undefined
      asked.push(of)
      await agents.forget(master.instanceId)
      const { instanceId } = harness.newInstance()
      await agents.make(instanceId)
      return instanceId
    },
  })
})
afterEach(() => harness.killAgents())
afterAll(() => harness.close())

async function issue(restore: { backupId: string } | null = null): Promise<string> {
  const { enrollCommands } = harness.api.agents
  const clusterId = master?.clusterId ?? ''
  const issued = await harness.trx((at) => enrollCommands.issueForReplacement(at, { clusterId, restore }))
  return enrollCommands.describe(issued).enrollToken
}

test('the old machine serves until the new one comes; then it stops, says why, and can join again', async () => {
  const old = harness.newInstance()
  master = old
  const first = harness.start(old.instanceId, await harness.issue(old))
  await harness.waitFor(old.instanceId, 'connected', ({ connected }) => connected)
  const token = await issue({ backupId: 'bk_reef000000' })
  const ask = async (port: number) => await fetch(`http://127.0.0.1:${port}/api/session`)
  expect((await ask(await first.port())).status).toBe(200)
  expect((await harness.see(old.instanceId))?.connected).toBe(true)

  expect(await harness.enroll(token, 'new machine')).toBe(codes.ok)
  expect(asked.at(-1)).toMatchObject({ clusterId: old.clusterId, restore: { backupId: 'bk_reef000000' } })
  await until('the old one says why', async () => first.log().includes('has taken the place of this one'))
  const identity = join(harness.folder, old.instanceId, 'agent.json')
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
  const again = harness.start(old.instanceId, '', harness.api.origin, {
    ATOLL_AGENT_ENROLL_TOKEN: undefined,
    ATOLL_AGENT_INSTANCE: undefined,
  })
  expect((await ask(await again.port())).status).toBe(503)
  await until('it says so again', async () => again.log().includes('has taken the place of this one'))
  await again.kill('SIGTERM')

  const fresh = harness.newInstance()
  const joined = harness.start(old.instanceId, await harness.issue(fresh), harness.api.origin, {
    ATOLL_AGENT_INSTANCE: fresh.instanceId,
  })
  await harness.waitFor(fresh.instanceId, 'connected', ({ connected }) => connected)
  await until('it serves again', async () => (await ask(await joined.port())).status === 200)
  expect(JSON.parse(await readFile(identity, 'utf8'))).toMatchObject({ instanceId: fresh.instanceId })
})

test('an agent that comes back later is let in to hear why, and nobody else is', async () => {
  const { mine, socket } = await harness.connect()
  master = mine
  const authorization = `Bearer ${mine.instanceId}.${agentToken}`
  socket.terminate()
  expect(await harness.enroll(await issue(), 'new machine 2')).toBe(codes.ok)
  expect(await harness.api.agents.proveInstance(harness.db, authorization)).toBeUndefined()
  expect(await harness.api.agents.meetDial({ authorization })).toEqual({ refusal: 'machineReplaced' })
  const back = await harness.openChannel(authorization)
  const ended = new Promise<[number, string]>((resolve) =>
    back.socket.once('close', (code, reason) => resolve([code, reason.toString()])),
  )
  expect([back.status, await ended]).toEqual([101, [machineRefusalCodes.machineReplaced, 'machineReplaced']])
  expect((await harness.openChannel(`${authorization}x`)).status).toBe(401)
})

test('the newest command brings one machine, and none where the cluster cannot have another', async () => {
  const { mine } = await harness.connect()
  master = mine
  const [first, second] = [await issue(), await issue()]
  master = undefined
  expect(await harness.enroll(second, 'too early'), 'it is not spent by that').toBe(codes.forbidden)
  master = mine
  expect(await harness.enroll(first, 'late')).toBe(codes.forbidden)
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => harness.enroll(second, name)))
  expect(answers.filter((code) => code === codes.ok)).toHaveLength(1)
})
