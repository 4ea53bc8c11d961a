import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listProcesses, until } from '@atoll/testkit'
import { expect, test } from 'vitest'
import type { StepContext } from '../../drive/install-step.ts'
import { createTestFolder } from '../../testing/seeded-home.ts'
import { runScript } from './script.ts'

/** Runs `script` as a step; gives what it said. */
async function run(script: string, folder: string, signal = new AbortController().signal): Promise<string[]> {
  const lines: string[] = []
  await runScript({
    home: { script: join(folder, 'script') },
    store: { current: { release: { version: '2.0.0', steps: ['script'], script } } },
    version: '2.0.0',
    signal,
    say: (source: string, line: string) => lines.push(`${source} ${line}`),
    // The step reads no more of its context.
  } as unknown as StepContext)
  return lines
}

test('runs in a folder that lasts, reports its lines, and knows nothing of the agent’s environment', async () => {
  await using folder = await createTestFolder()
  process.env['ATOLL_AGENT_SECRET'] = 'not for scripts'
  try {
    const script = 'echo "version $ATOLL_VERSION"; echo to-stderr >&2; env > env.txt; echo x >> count.txt'
    expect((await run(script, folder.path)).toSorted()).toEqual(['script to-stderr', 'script version 2.0.0'])
    await run(script, folder.path)
  } finally {
    delete process.env['ATOLL_AGENT_SECRET']
  }
  const home = join(folder.path, 'script')
  expect(await readFile(join(home, 'count.txt'), 'utf8')).toBe('x\nx\n')
  expect(await readFile(join(home, 'env.txt'), 'utf8')).not.toContain('not for scripts')
})

test.each([
  ['a command that fails', 'echo before; false; echo after', /ended with 1: before/],
  ['a variable that is not set', 'echo "$NOT_SET"', /ended with/],
  ['its own word', 'echo "no disk" >&2; exit 7', /ended with 7: no disk/],
])('ends with %s', async (_, script, problem) => {
  await using folder = await createTestFolder()
  await expect(run(script, folder.path)).rejects.toThrow(problem)
})

test('leaves nothing running: neither what it put in the background, nor itself when the step is given up', async () => {
  await using folder = await createTestFolder()
  const ofScript = () =>
    listProcesses().filter(({ environment }) => environment.get('ATOLL_HOME') === join(folder.path, 'script'))
  await run('sleep 600 & echo done', folder.path)
  await until('the background is gone', () => ofScript().length === 0)
  const giveUp = new AbortController()
  const given = run('echo started > started; sleep 600', folder.path, giveUp.signal)
  await until('it runs', () => readFile(join(folder.path, 'script', 'started')))
  giveUp.abort()
  await expect(given).rejects.toThrow(/was ended by SIGKILL/)
  await until('it is gone', () => ofScript().length === 0)
})
