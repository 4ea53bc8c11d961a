/**
 * A rollout over real agents: one that the command installed as on a machine of somebody's own, which updates, and two
 * processes, which return; the rollout pauses automatically.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import type { AgentRelease } from '@atoll/contract/agents'
import { findFreePorts, listProcessesOf, patienceMs, until } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { type AgentHarness, createAgentHarness, type Place } from '../agents/testing/agent-harness.ts'
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
  deps = { db, clock: systemClock, agents, offered: async () => release, waveMs: 0, trialMs: patienceMs / 2 }
})
afterAll(async () => {
  await harness.close()
  releases.remove()
})

/** Runs the command's script with `args`, without a service of systemd, in the folder `dir`; gives its exit code. */
async function runScript(dir: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const { origin } = harness.api
  const script = await (await fetch(`${origin}/enroll.sh`)).text()
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  const shell = spawn('sh', ['-s', '--', ...args], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { PATH: path, ATOLL_DIR: dir, ATOLL_NO_SYSTEMD: '1', ...env },
  })
  // The harness writes an address into the script at which nobody answers.
  shell.stdin.end(script.replaceAll('http://localhost', origin))
  const [code] = await once(shell, 'exit')
  return code
}

async function installAtHome(place: Place): Promise<string> {
  const dir = join(releases.folder, place.instanceId)
  const [port] = await findFreePorts(1)
  // It waits for the agent for half a minute, which a busy machine may take longer than: the test waits itself.
  await runScript(dir, [], { ATOLL_ENROLL_TOKEN: await harness.issue(place), ATOLL_PORT: String(port) })
  return dir
}

test('one agent updates; two return to the version before, so the rollout pauses, and is then taken back', async () => {
  // An agent of the next version that has this variable exits before it has reported.
  const ending = "if (process.env['TEST_ENDS']) process.exit(7);\n"
  const [atHome, ...others] = [harness.newInstance(), harness.newInstance(), harness.newInstance()] as const
  const places = [atHome, ...others]
  releases.make('1.0.0', 100)
  const home = await installAtHome(atHome)
  release = releases.make('1.1.0', 200, { main: (text) => ending + text })
  const running = await Promise.all(
    others.map(async (place) =>
      startAgentProcess(
        join(releases.folder, place.instanceId),
        {
          ATOLL_AGENT_CONTROL_URL: harness.api.origin,
          ATOLL_AGENT_ENROLL_TOKEN: await harness.issue(place),
          ATOLL_AGENT_INSTANCE: place.instanceId,
          TEST_ENDS: '1',
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
  expect(paused.rollout?.failures[0]?.reason).toBe('Version 1.1.0+one ended with 7 before it reported; went back.')
  expect(paused.versions.map(({ version, state, clusters }) => [version, state, clusters])).toEqual([
    ['1.1.0+one', 'rollingOut', 1],
    ['1.0.0+one', 'current', 2],
  ])

  // After a kill it comes back with its present version.
  const agentOf = () => listProcessesOf(home).find(({ command }) => command[1]?.endsWith('main.mjs'))?.pid
  const killed = await until('it runs', agentOf)
  process.kill(killed, 'SIGKILL')
  await until('another process of it runs', () => ![undefined, killed].includes(agentOf()))
  await harness.waitFor(atHome.instanceId, 'it is back', (row) => row.connected && row.version === '1.1.0+one')

  // Those that failed are asked again, and fail again.
  await harness.trx((trx) => continueRollout(deps, trx, id))
  expect((await show()).rollout).toMatchObject({ state: 'running', failures: [] })
  await advanceUntil('it pauses again', ({ rollout }) => rollout?.state === 'paused')

  await harness.trx((trx) => takeBackRollout(trx, id))
  const ended = await advanceUntil('it is back', ({ rollout }) => rollout?.state === 'ended')
  expect(ended.rollout?.waves[0]).toMatchObject({ returned: 1 })
  for (const { instanceId } of places)
    await harness.waitFor(instanceId, 'the old one runs', (row) => row.connected && row.version === '1.0.0+one')
  expect(await runScript(home, ['--uninstall'])).toBe(0)
  await until('nothing of it runs', () => listProcessesOf(home).length === 0)
  for (const agent of running) {
    expect(agent.child.exitCode).toBeNull()
    await agent.kill('SIGKILL')
  }
})
