/** A rollout over real agents, each a process: one updates, two return, and the rollout pauses automatically. */
import { join } from 'node:path'
import type { AgentRelease } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { type AgentHarness, createAgentHarness } from '../agents/testing/agent-harness.ts'
import { startAgentProcess } from '../agents/testing/agent-process.ts'
import { type AgentReleases, createAgentReleases } from '../agents/testing/agent-releases.ts'
import { describeAgents } from './describe.ts'
import { insertRollout } from './rollout-store.ts'
import { advanceRollouts, continueRollout, noteAnswer, type RolloutDeps, takeBackRollout } from './rollouts.ts'

let releases: AgentReleases
let harness: AgentHarness
let deps: RolloutDeps
let release: AgentRelease

beforeAll(async () => {
  releases = await createAgentReleases()
  harness = await createAgentHarness({
    archive: releases.archive,
    onTaskChange: (trx, _, task) => noteAnswer(deps, trx, task),
  })
  // As the worker brings it: the job's table is the queue's.
  const { db } = harness
  const { agents } = harness.api
  deps = { db, clock: systemClock, agents, offered: async () => release, waveMs: 0, trialMs: 2000 }
})
afterAll(async () => {
  await harness.close()
  releases.remove()
})

test('one agent updates; where two return to the version before, the rollout pauses, and goes back', async () => {
  // Of it, agents that are told so never say anything.
  const silent = "if (process.env['TEST_SILENT']) await new Promise(() => setInterval(() => undefined, 1000));\n"
  release = releases.make('1.1.0', 200, { main: (text) => silent + text })
  const places = [harness.newInstance(), harness.newInstance(), harness.newInstance()]
  const running = await Promise.all(
    places.map(async (place, index) =>
      startAgentProcess(
        join(releases.folder, place.instanceId),
        {
          ATOLL_AGENT_CONTROL_URL: harness.api.origin,
          ATOLL_AGENT_ENROLL_TOKEN: await harness.issue(place),
          ATOLL_AGENT_INSTANCE: place.instanceId,
          ...(index > 0 && { TEST_SILENT: '1' }),
        },
        releases.program,
      ),
    ),
  )
  const show = () => describeAgents(harness.db, { now: new Date(), offer: release, waveMs: 0 })
  /** As the worker's job does each minute, until it is so. */
  const advanceUntil = async (what: string, holds: (shown: Awaited<ReturnType<typeof show>>) => boolean) =>
    await until(what, async () => {
      await advanceRollouts(deps)
      const shown = await show()
      return holds(shown) ? shown : undefined
    })
  for (const { instanceId } of places)
    await harness.waitFor(instanceId, 'it runs', (row) => row.connected && row.version === '1.0.0+one')
  expect(await show()).toMatchObject({ isSigned: true, mayStart: true, rollout: null, clusters: 3 })

  const now = new Date()
  const id = 'ro_aaaaaaaaaaaaaaaaaaaa'
  const targets = places.map((place, index) => ({ ...place, wave: Math.min(index, 1) }))
  await harness.trx((trx) => insertRollout(trx, { id, kind: 'agent', version: release.version, now }, targets))
  const paused = await advanceUntil('it pauses', ({ rollout }) => rollout?.state === 'paused')
  expect(paused.rollout).toMatchObject({ pausedBecause: 'failures', wave: 1 })
  expect(paused.rollout?.waves[0]).toMatchObject({ clusters: 1, updated: 1, failed: 0 })
  expect(paused.rollout?.waves[1]).toMatchObject({ clusters: 2, updated: 0, failed: 2 })
  expect(paused.rollout?.failures[0]?.reason).toBe('Version 1.1.0+one did not report within 2 s; went back.')
  expect(paused.versions.map(({ version, state, clusters }) => [version, state, clusters])).toEqual([
    ['1.1.0+one', 'rollingOut', 1],
    ['1.0.0+one', 'current', 2],
  ])

  // Those that failed are asked again, and fail again.
  await harness.trx((trx) => continueRollout(deps, trx, id))
  expect((await show()).rollout).toMatchObject({ state: 'running', failures: [] })
  await advanceUntil('it pauses again', ({ rollout }) => rollout?.state === 'paused')

  await harness.trx((trx) => takeBackRollout(trx, id))
  const ended = await advanceUntil('it is back', ({ rollout }) => rollout?.state === 'ended')
  expect(ended.rollout?.waves[0]).toMatchObject({ returned: 1 })
  for (const { instanceId } of places)
    await harness.waitFor(instanceId, 'the old one runs', (row) => row.connected && row.version === '1.0.0+one')
  for (const agent of running) {
    expect(agent.child.exitCode).toBeNull()
    await agent.kill('SIGKILL')
  }
})
