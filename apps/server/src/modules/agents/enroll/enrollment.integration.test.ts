import { codes } from '@atoll/contract/wire'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { IssuedCommand } from '../index.ts'
import { type AgentHarness, createAgentHarness } from '../testing/agent-harness.ts'

let harness: AgentHarness
/** Whether clusters take one more host. */
let admits = false

beforeAll(async () => {
  harness = await createAgentHarness({
    async admitWorker(_, __, makeAgent) {
      if (!admits) return undefined
      const { instanceId } = harness.newInstance()
      await makeAgent(instanceId)
      return instanceId
    },
  })
})
afterEach(() => harness.killAgents())
afterAll(() => harness.close())

describe('enrollment', () => {
  test('is repeated by the one who did it, and refused to everybody else', async () => {
    const place = harness.newInstance()
    const token = await harness.issue(place)
    expect(await harness.enroll(token, 'first')).toBe(codes.ok)
    expect(await harness.enroll(token, 'first')).toBe(codes.ok)
    expect(await harness.enroll(token, 'thief')).toBe(codes.forbidden)
    expect(await harness.enroll('x'.repeat(43), 'first')).toBe(codes.forbidden)
    expect(await harness.issue(place)).toBe(token)
    expect(await harness.enroll(token, 'thief')).toBe(codes.forbidden)
  })

  test('of a token that is too old is refused, and a new issue makes it good again', async () => {
    const place = harness.newInstance()
    const token = await harness.issue(place)
    await harness.db
      .updateTable('agents')
      .set({ enroll_expires_at: new Date(Date.now() - 1000) })
      .where('instance_id', '=', place.instanceId)
      .execute()
    expect(await harness.enroll(token, 'late')).toBe(codes.forbidden)
    await harness.issue(place)
    expect(await harness.enroll(token, 'late')).toBe(codes.ok)
  })

  test('refused for good ends the agent with a code of its own', async () => {
    const place = harness.newInstance()
    const token = await harness.issue(place)
    expect(await harness.enroll(token, 'somebody else')).toBe(codes.ok)
    const agent = harness.start(place.instanceId, token)
    expect(await agent.exited).toBe(4)
    expect(agent.log()).toContain('enrollment refused')
  })

  test('of two at once lets one in', async () => {
    const token = await harness.issue(harness.newInstance())
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => harness.enroll(token, name)))
    expect(answers.filter((code) => code === codes.ok)).toHaveLength(1)
  })
})

describe('a host', () => {
  test('gets in with the last command that was shown, and only with that', async () => {
    const place = harness.newInstance()
    const { enrollCommands } = harness.api.agents
    const [first, second] = await harness.trx(async (at) => [
      await enrollCommands.issue(at, place),
      await enrollCommands.issue(at, place),
    ])
    const tokenOf = (issued?: IssuedCommand) => (issued ? enrollCommands.describe(issued).enrollToken : '')
    expect(await harness.enroll(tokenOf(first), 'late')).toBe(codes.forbidden)
    expect(await harness.enroll(tokenOf(second), 'mine')).toBe(codes.ok)
    expect(await harness.enroll(tokenOf(second), 'thief')).toBe(codes.forbidden)
    expect(await harness.enroll(tokenOf(second), 'mine')).toBe(codes.ok)
    expect(await harness.trx(async (at) => await enrollCommands.issue(at, place))).toBeUndefined()
    const { command } = enrollCommands.describe(second as IssuedCommand) // issued above
    expect(command).toBe(`curl -fsSL http://localhost/enroll.sh | ATOLL_ENROLL_TOKEN=${tokenOf(second)} sh`)
  })

  test('that comes with a worker’s command is one machine, however many try', async () => {
    const { clusterId } = harness.newInstance()
    const { enrollCommands } = harness.api.agents
    const issued = await harness.trx((at) => enrollCommands.issueForWorker(at, clusterId))
    const { enrollToken } = enrollCommands.describe(issued)
    expect(await harness.enroll(enrollToken, 'a')).toBe(codes.forbidden)
    admits = true
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => harness.enroll(enrollToken, name)))
    expect(answers.filter((code) => code === codes.ok)).toHaveLength(1)
    admits = false
  })
})
