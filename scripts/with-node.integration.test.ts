import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { listProcesses, until } from '@atoll/testkit'
import { afterEach, expect, it } from 'vitest'

let child: ChildProcess | undefined
afterEach(() => {
  child?.kill('SIGKILL')
})

/** Starts the fixture by with-node.mjs; gives what it says of itself. */
async function start(
  ...args: string[]
): Promise<{ wrapper: ChildProcess; said: { pid: number; major: number; rest: string[] } }> {
  const wrapper = spawn(
    process.execPath,
    [join(import.meta.dirname, 'with-node.mjs'), 'scripts/with-node.fixture.ts', ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, npm_lifecycle_event: undefined },
    },
  )
  child = wrapper
  const [line] = (await once(createInterface({ input: wrapper.stdout }), 'line')) as [string]
  return { wrapper, said: JSON.parse(line) as { pid: number; major: number; rest: string[] } }
}

const isRunning = (pid: number) => listProcesses().some((entry) => entry.pid === pid)

it('runs a script on a Node that is new enough, with its arguments, and ends with its code', async () => {
  const { wrapper, said } = await start('3', '--roles', 'api')
  const [code] = await once(wrapper, 'exit')
  expect(said.rest).toEqual(['--roles', 'api'])
  expect(said.major).toBeGreaterThanOrEqual(24)
  expect(code).toBe(3)
})

it('hands a signal on and waits for the script', async () => {
  const { wrapper, said } = await start('wait')
  wrapper.kill('SIGTERM')
  const [code] = await once(wrapper, 'exit')
  expect(code).toBe(7)
  expect(isRunning(said.pid)).toBe(false)
})

it('leaves no script behind when it is killed', async () => {
  const { wrapper, said } = await start('wait')
  wrapper.kill('SIGKILL')
  await until('the script noticed', () => !isRunning(said.pid))
})
