/** A disk that is copied, with real agents as processes. */
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { AgentProcess } from '../testing/agent-process.ts'
import { type AgentWorld, createAgentWorld, type Place } from '../testing/agent-world.ts'

let world: AgentWorld

beforeAll(async () => {
  world = await createAgentWorld()
})
afterEach(() => world.killAgents())
afterAll(() => world.close())

/** A process on the disk of `instanceId`, or on another of that name. */
const boot = (disk: string) =>
  world.start(disk, '', world.api.origin, { ATOLL_AGENT_ENROLL_TOKEN: undefined, ATOLL_AGENT_INSTANCE: undefined })
const bootIdOf = async (disk: string) =>
  JSON.parse(await readFile(join(world.folder, disk, 'run.json'), 'utf8')).bootId as string // the agent's file
const answerOf = async (agent: AgentProcess) =>
  (await fetch(`http://127.0.0.1:${await agent.port()}/api/session`)).status
const reports = (place: Place, bootId: string) =>
  world.waitFor(place.instanceId, `boot ${bootId} reports`, (row) => row.connected && row.bootId === bootId)

test('is noticed when the first comes back: that one goes on, and the copy waits until its owner chooses it', async () => {
  const place = world.newInstance()
  const [disk, copy] = [place.instanceId, `${place.instanceId}-copy`]
  const first = world.start(disk, await world.issue(place))
  const firstBoot = await first.port().then(() => bootIdOf(disk))
  await reports(place, firstBoot)
  await cp(join(world.folder, disk), join(world.folder, copy), { recursive: true })
  let second = boot(copy)
  await until('the copy is refused', async () => second.log().includes('runs with a copy of this disk'))
  await reports(place, firstBoot)
  expect([await answerOf(first), await answerOf(second)]).toEqual([200, 503])
  const secondBoot = await bootIdOf(copy)
  expect((await world.see(disk))?.copies).toMatchObject({
    ...{ isAnswered: false, serving: { bootId: firstBoot }, refused: [{ bootId: secondBoot }] },
  })

  // It restarts, and does not get in between.
  await second.kill('SIGKILL')
  const lines = first.log().split('not connected').length
  second = boot(copy)
  const thirdBoot = await second.port().then(() => bootIdOf(copy))
  await until('it is refused at once', async () => {
    const { copies } = (await world.see(disk)) ?? {}
    return copies?.refused[0]?.bootId === thirdBoot
  })
  expect(await answerOf(second)).toBe(503)
  expect(first.log().split('not connected')).toHaveLength(lines)

  const choose = (bootId: string) =>
    world.trx((trx) => world.api.agents.chooseMachine(trx, { instanceId: disk, bootId }))
  expect(await choose('nobody')).toBe(false)
  expect(await choose(thirdBoot)).toBe(true)
  await reports(place, thirdBoot)
  await until('the first says why it stopped', async () => first.log().includes('runs with a copy of this disk'))
  await until('the chosen one serves', async () => (await answerOf(second)) === 200)
  expect(await answerOf(first)).toBe(503)
  expect((await world.see(disk))?.copies).toMatchObject({
    ...{ isAnswered: true, serving: { bootId: thirdBoot }, refused: [{ bootId: firstBoot }] },
  })
})

test('is not assumed of a machine that restarts again and again', async () => {
  const place = world.newInstance()
  let agent = world.start(place.instanceId, await world.issue(place))
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
