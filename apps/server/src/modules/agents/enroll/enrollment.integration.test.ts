import { codes } from '@atoll/contract/wire'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { IssuedCommand } from '../index.ts'
import { type AgentWorld, createAgentWorld } from '../testing/agent-world.ts'

let world: AgentWorld
/** Whether clusters take one more host. */
let admits = false

beforeAll(async () => {
  world = await createAgentWorld({
    async admitWorker(_, __, makeAgent) {
      if (!admits) return undefined
      const { instanceId } = world.newInstance()
      await makeAgent(instanceId)
      return instanceId
    },
  })
})
afterEach(() => world.killAgents())
afterAll(() => world.close())

describe('enrollment', () => {
  test('is repeated by the one who did it, and refused to everybody else', async () => {
    const place = world.newInstance()
    const token = await world.issue(place)
    expect(await world.enroll(token, 'first')).toBe(codes.ok)
    expect(await world.enroll(token, 'first')).toBe(codes.ok)
    expect(await world.enroll(token, 'thief')).toBe(codes.forbidden)
    expect(await world.enroll('x'.repeat(43), 'first')).toBe(codes.forbidden)
    expect(await world.issue(place)).toBe(token)
    expect(await world.enroll(token, 'thief')).toBe(codes.forbidden)
  })

  test('of a token that is too old is refused, and a new issue makes it good again', async () => {
    const place = world.newInstance()
    const token = await world.issue(place)
    await world.db
      .updateTable('agents')
      .set({ enroll_expires_at: new Date(Date.now() - 1000) })
      .where('instance_id', '=', place.instanceId)
      .execute()
    expect(await world.enroll(token, 'late')).toBe(codes.forbidden)
    await world.issue(place)
    expect(await world.enroll(token, 'late')).toBe(codes.ok)
  })

  test('refused for good ends the agent with a code of its own', async () => {
    const place = world.newInstance()
    const token = await world.issue(place)
    expect(await world.enroll(token, 'somebody else')).toBe(codes.ok)
    const agent = world.start(place.instanceId, token)
    expect(await agent.exited).toBe(4)
    expect(agent.log()).toContain('enrollment refused')
  })

  test('of two at once lets one in', async () => {
    const token = await world.issue(world.newInstance())
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => world.enroll(token, name)))
    expect(answers.filter((code) => code === codes.ok)).toHaveLength(1)
  })
})

describe('a host', () => {
  test('gets in with the last command that was shown, and only with that', async () => {
    const place = world.newInstance()
    const { enrollCommands } = world.api.agents
    const [first, second] = await world.trx(async (at) => [
      await enrollCommands.issue(at, place),
      await enrollCommands.issue(at, place),
    ])
    const tokenOf = (issued?: IssuedCommand) => (issued ? enrollCommands.describe(issued).enrollToken : '')
    expect(await world.enroll(tokenOf(first), 'late')).toBe(codes.forbidden)
    expect(await world.enroll(tokenOf(second), 'mine')).toBe(codes.ok)
    expect(await world.enroll(tokenOf(second), 'thief')).toBe(codes.forbidden)
    expect(await world.enroll(tokenOf(second), 'mine')).toBe(codes.ok)
    expect(await world.trx(async (at) => await enrollCommands.issue(at, place))).toBeUndefined()
    const { command } = enrollCommands.describe(second as IssuedCommand) // issued above
    expect(command).toBe(`curl -fsSL http://localhost/enroll.sh | ATOLL_ENROLL_TOKEN=${tokenOf(second)} sh`)
  })

  test('that comes with a worker’s command is one machine, however many try', async () => {
    const { clusterId } = world.newInstance()
    const { enrollCommands } = world.api.agents
    const issued = await world.trx((at) => enrollCommands.issueForWorker(at, clusterId))
    const { enrollToken } = enrollCommands.describe(issued)
    expect(await world.enroll(enrollToken, 'a')).toBe(codes.forbidden)
    admits = true
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => world.enroll(enrollToken, name)))
    expect(answers.filter((code) => code === codes.ok)).toHaveLength(1)
    admits = false
  })
})
