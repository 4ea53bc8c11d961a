/** A disk that is copied, with real agents as processes. */
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AgentHarness, createAgentHarness, type Place } from '../testing/agent-harness.ts'
import type { AgentProcess } from '../testing/agent-process.ts'

let harness: AgentHarness

beforeAll(async () => {
  harness = await createAgentHarness()
})
afterEach(() => harness.killAgents())
afterAll(() => harness.close())

/** A process on the disk of `instanceId`, or on another of that name. */
const boot = (disk: string) =>
  harness.start(disk, '', harness.api.origin, { ATOLL_AGENT_ENROLL_TOKEN: undefined, ATOLL_AGENT_INSTANCE: undefined })
const bootIdOf = async (disk: string) =>
  JSON.parse(await readFile(join(harness.folder, disk, 'run.json'), 'utf8')).bootId as string // the agent's file
const answerOf = async (agent: AgentProcess) =>
  (await fetch(`http://127.0.0.1:${await agent.port()}/api/session`)).status
const reports = (place: Place, bootId: string) =>
  harness.waitFor(place.instanceId, `boot ${bootId} reports`, (row) => row.connected && row.bootId === bootId)

test('is noticed when the first comes back: that one goes on, and the copy waits until its owner chooses it', async () => {
  const place = harness.newInstance()
  const [disk, copy] = [place.instanceId, `${place.instanceId}-copy`]
  const first = harness.start(disk, await harness.issue(place))
  const firstBoot = await first.port().then(() => bootIdOf(disk))
  await reports(place, firstBoot)
  await cp(join(harness.folder, disk), join(harness.folder, copy), { recursive: true })
  let second = boot(copy)
  await until('the copy is refused', async () => second.log().includes('runs with a copy of this disk'))
  await reports(place, firstBoot)
  expect([await answerOf(first), await answerOf(second)]).toEqual([200, 503])
  const secondBoot = await bootIdOf(copy)
  expect((await harness.see(disk))?.copies).toMatchObject({
    isAnswered: false,
    serving: { bootId: firstBoot },
    refused: [{ bootId: secondBoot }],
  })

  // It restarts, and does not get in between.
  await second.kill('SIGKILL')
  const lines = first.log().split('not connected').length
  second = boot(copy)
  const thirdBoot = await second.port().then(() => bootIdOf(copy))
  await until('it is refused at once', async () => {
    const { copies } = (await harness.see(disk)) ?? {}
    return copies?.refused[0]?.bootId === thirdBoot
  })
  expect(await answerOf(second)).toBe(503)
  expect(first.log().split('not connected')).toHaveLength(lines)

  const choose = (bootId: string) =>
    harness.trx((trx) => harness.api.agents.chooseMachine(trx, { instanceId: disk, bootId }))
  expect(await choose('nobody')).toBe(false)
  expect(await choose(thirdBoot)).toBe(true)
  await reports(place, thirdBoot)
  await until('the first says why it stopped', async () => first.log().includes('runs with a copy of this disk'))
  await until('the chosen one serves', async () => (await answerOf(second)) === 200)
  expect(await answerOf(first)).toBe(503)
  expect((await harness.see(disk))?.copies).toMatchObject({
    isAnswered: true,
    serving: { bootId: thirdBoot },
    refused: [{ bootId: firstBoot }],
  })
})

test('is not assumed of a machine that restarts again and again', async () => {
  const place = harness.newInstance()
  let agent = harness.start(place.instanceId, await harness.issue(place))
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
    await agent.port()
    await reports(place, await bootIdOf(place.instanceId))
    await agent.kill(signal)
    agent = boot(place.instanceId)
  }
  await agent.port()
  const row = await reports(place, await bootIdOf(place.instanceId))
  expect([row.copies, agent.log().includes('copy')]).toEqual([null, false])
})
