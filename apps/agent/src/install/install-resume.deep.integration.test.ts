/** A real agent process is killed in the middle of each step; a real one then takes over the home. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstallState } from '@atoll/contract/agents'
import { agentEntryPoint, until } from '@atoll/testkit'
import { describe, expect, test } from 'vitest'
import {
  acceptedInstall,
  createTestFolder,
  seedHome,
  stateWith,
  steps,
  unlinkedEnvironment,
} from '../testing/seeded-home.ts'

const heldAgent = join(import.meta.dirname, '../testing/held-agent.ts')

function start(program: string, home: string, environment: Record<string, string> = {}): ChildProcess {
  const env = { PATH: process.env['PATH'], ATOLL_AGENT_HOME: home, ...unlinkedEnvironment, ...environment }
  return spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'ignore'] })
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

async function readState(home: string): Promise<{ install: InstallState; handoverNonce: string | null }> {
  return JSON.parse(await readFile(join(home, 'state.json'), 'utf8'))
}

describe.each(steps)('killed in the step %s', (step) => {
  test.each(['before', 'after'])('%s its work, an install is finished by the next agent', async (when) => {
    await using folder = await createTestFolder()
    const home = join(folder.path, 'home')
    await seedHome(home, stateWith(acceptedInstall()))
    const first = start(heldAgent, home, { HOLD_STEP: step, HOLD_WHEN: when })
    if (first.stdout) await once(first.stdout, 'data')
    await kill(first)
    const left = await readState(home)
    expect(left.install.steps.map(({ state }) => state)).toEqual(
      steps.map((_, at) => (at < steps.indexOf(step) ? 'done' : at === steps.indexOf(step) ? 'running' : 'pending')),
    )
    await writeFile(join(home, 'uploads', 'half-written'), 'half')
    await writeFile(join(home, 'state.json.abcdef.tmp'), '{"half')

    const second = start(agentEntryPoint, home)
    const { install, handoverNonce } = await until('installed', async () => {
      const state = await readState(home)
      return state.install.state === 'done' && state
    })
    await kill(second)
    expect(install.steps.every(({ state }) => state === 'done')).toBe(true)
    // Steps that were done are not done again.
    const done = steps.indexOf(step)
    expect(install.steps.slice(0, done)).toEqual(left.install.steps.slice(0, done))
    expect(handoverNonce).toMatch(/^[0-9a-f]{32}$/)
    if (left.handoverNonce) expect(handoverNonce).toBe(left.handoverNonce)
    expect(await readdir(join(home, 'uploads'))).toEqual([])
    expect((await readdir(home)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(await readdir(join(home, 'drive'))).toEqual([])
  })
})

test('stopped in order in the middle of a step, it goes on there too', async () => {
  await using folder = await createTestFolder()
  await seedHome(folder.path, stateWith(acceptedInstall()))
  const first = start(heldAgent, folder.path, { HOLD_STEP: 'services', HOLD_WHEN: 'before' })
  if (first.stdout) await once(first.stdout, 'data')
  const closed = once(first, 'close')
  first.kill('SIGTERM')
  await closed
  expect((await readState(folder.path)).install.state).toBe('running')
  const second = start(agentEntryPoint, folder.path)
  await until('installed', async () => (await readState(folder.path)).install.state === 'done')
  await kill(second)
})
