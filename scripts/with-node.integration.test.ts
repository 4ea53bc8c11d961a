import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { listProcesses, until } from '@atoll/testkit'
import { afterEach, describe, expect, it } from 'vitest'

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

describe('with a lockfile that has changed, where no registry answers', () => {
  const installed = {
    '': { devDependencies: { linter: '1.0.0' } },
    'apps/server': { dependencies: { http: '1.0.0' } },
    'apps/agent': { devDependencies: { pages: '1.0.0' } },
    'node_modules/http': { version: '1.0.0', dependencies: { parser: '1.0.0' } },
    'node_modules/http/node_modules/parser': { version: '1.0.0' },
    'node_modules/parser': { version: '2.0.0' },
    'node_modules/pages': { version: '1.0.0' },
    'node_modules/linter': { version: '1.0.0', dev: true },
  }

  /** Starts `script` in a project whose lockfile has another `changed`; gives the exit code, 1 where it asked npm. */
  async function startChanged(script: string, changed: string, entry: object = { version: '9.9.9' }): Promise<number> {
    const project = mkdtempSync(join(tmpdir(), 'atoll-lockfile-'))
    try {
      for (const folder of ['scripts', 'node_modules', 'bin']) mkdirSync(join(project, folder))
      for (const name of ['with-node.mjs', 'lockfile.mjs']) {
        cpSync(join(import.meta.dirname, name), join(project, 'scripts', name))
      }
      for (const name of ['start.ts', 'check.ts']) writeFileSync(join(project, 'scripts', name), 'process.exitCode = 5')
      writeFileSync(join(project, 'bin/npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      const wanted = { ...installed, [changed]: entry }
      writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages: wanted }))
      writeFileSync(join(project, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
      const wrapper = spawn(process.execPath, [join(project, 'scripts/with-node.mjs'), script], {
        stdio: 'ignore',
        env: { ...process.env, PATH: `${join(project, 'bin')}${delimiter}${process.env['PATH']}` },
      })
      return (await once(wrapper, 'exit'))[0] as number
    } finally {
      rmSync(project, { recursive: true })
    }
  }

  it.each(['node_modules/linter', 'node_modules/pages', 'node_modules/parser'])(
    'the server starts when it does not load %s',
    async (changed) => {
      expect(await startChanged('scripts/start.ts', changed)).toBe(5)
      expect(await startChanged('scripts/check.ts', changed)).toBe(1)
    },
  )

  it.each(['node_modules/http', 'node_modules/http/node_modules/parser'])(
    'the server does not start without the %s that it loads',
    async (changed) => {
      expect(await startChanged('scripts/start.ts', changed)).toBe(1)
    },
  )

  it('a workspace that is not linked yet is missing', async () => {
    const link = { resolved: 'packages/reef', link: true }
    expect(await startChanged('scripts/check.ts', 'node_modules/@atoll/reef', link)).toBe(1)
  })
})
