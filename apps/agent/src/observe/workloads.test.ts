import { execFile } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AgentState, Workloads } from '@atoll/contract/agents'

import { until } from '@atoll/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestFolder } from '../testing/seeded-home.ts'
import { readWorkloadFile } from './workload-file.ts'
import { watchWorkloads } from './workloads.ts'

const begin = Date.parse('2026-06-01T00:00:00Z')

async function harness() {
  const folder = await createTestFolder()
  const [drive, scriptFolder] = [join(folder.path, 'drive'), join(folder.path, 'script')]
  await mkdir(drive)
  await mkdir(scriptFolder)
  const install: AgentState['install'] = { state: 'done', taskId: 'op_1', reason: null, steps: [] }
  const now = { install, network: undefined as AgentState['network'], at: begin, changes: 0 }
  const watch = await watchWorkloads({
    drive,
    scriptFolder,
    install: () => now.install,
    network: () => now.network,
    now: () => now.at,
    onChange: () => now.changes++,
    checkEveryMs: 10,
  })
  return {
    now,
    drive,
    file: join(scriptFolder, 'workloads.json'),
    watch,
    states: () => watch.list().map(({ name, state }) => `${name} ${state}`),
    async [Symbol.asyncDispose]() {
      watch.stop()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('lists its own services and those of the script, and since when each is so', async () => {
  await using at = await harness()
  expect(at.states()).toEqual(['server Completed', 'files Completed'])
  const app = { name: 'photos', title: 'Photo library', state: 'Completed', wanted: 2 }
  await writeFile(at.file, JSON.stringify([app]))
  await until('the script’s is listed', () => at.states().includes('photos Completed'))
  expect(at.watch.list()[2]).toEqual({ ...app, ready: 2, reason: null, since: '2026-06-01T00:00:00.000Z' })
  at.now.at += 60_000
  await writeFile(at.file, JSON.stringify([{ ...app, state: 'Failed', reason: 'Exited with 137:\nout of memory.' }]))
  await until('it died', () => at.states().includes('photos Failed'))
  expect(at.watch.list()[2]).toMatchObject({
    ready: 0,
    reason: 'Exited with 137: out of memory.',
    since: '2026-06-01T00:01:00.000Z',
  })
  at.now.network = { state: 'missing', reason: 'frpc is not installed on this machine', port: null }
  await rename(at.drive, `${at.drive}-gone`)
  await until('the files are gone', () => at.states().includes('files Failed'))
  await rm(at.file)
  await until('the script’s is gone', () => !at.states().includes('photos Failed'))
  expect(at.states()).toEqual(['server Completed', 'files Failed', 'network Failed'])
  expect(at.watch.list()[0]?.since).toBe('2026-06-01T00:00:00.000Z')
  expect(at.now.changes).toBeGreaterThanOrEqual(4)
})

test.each([
  ['not JSON', '[{', 'it is not JSON'],
  ['a state that there is not', '[{"name":"a","state":"Broken"}]', '0.state'],
  ['a name twice', '[{"name":"a","state":"Failed"},{"name":"a","state":"Failed"}]', '1.name: is taken'],
  ['a name of the agent’s', '[{"name":"files","state":"Failed"}]', '0.name: is taken'],
  [
    'a thousand of them',
    JSON.stringify(Array.from({ length: 1000 }, (_, at) => ({ name: `n${at}`, state: 'Failed' }))),
    'the list',
  ],
  ['copies that cannot be', '[{"name":"a","state":"Failed","ready":-1}]', '0.ready'],
  ['a file without end', `"${'x'.repeat(70_000)}"`, 'larger than 65536 bytes'],
])('a list that holds %s is one that failed, and says so', async (_what, text, reason) => {
  await using folder = await createTestFolder()
  const path = join(folder.path, 'workloads.json')
  await writeFile(path, text)
  const [first, ...others] = await readWorkloadFile(path)
  expect(first).toMatchObject({ name: 'workloads.json', state: 'Failed' })
  expect(first?.reason).toContain(reason)
  expect(others).toEqual([])
})

test('a pipe in place of the list is not waited for', async () => {
  await using folder = await createTestFolder()
  const path = join(folder.path, 'workloads.json')
  await promisify(execFile)('mkfifo', [path])
  expect(await readWorkloadFile(path)).toMatchObject([{ state: 'Failed' }])
})

test('whatever the list holds, the control plane can read what is reported of it', async () => {
  await using folder = await createTestFolder()
  const path = join(folder.path, 'workloads.json')
  const entry = fc.record(
    {
      name: fc.oneof(fc.constantFrom('a', 'b.c'), fc.string()),
      title: fc.string({ unit: 'binary', maxLength: 100 }),
      state: fc.constantFrom('Completed', 'Failed', 'Progressing', 'Scheduling', 'Gone'),
      ready: fc.oneof(fc.nat(), fc.double()),
      reason: fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constant(null)),
    },
    { requiredKeys: ['name', 'state'] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.array(entry, { maxLength: 4 }), fc.jsonValue()), async (content) => {
      await writeFile(path, JSON.stringify(content))
      const workloads = await readWorkloadFile(path)
      const sent = JSON.stringify(workloads.map((one) => ({ ...one, since: new Date(begin).toISOString() })))
      expect(sent).not.toContain('\\u0000')
      expect(Workloads.safeParse(JSON.parse(sent)).success).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('the names that the script registers are reported; a file that cannot be read ends none of them', async () => {
  await using at = await harness()
  expect(at.watch.hosts()).toEqual([])
  const file = at.file.replace('workloads.json', 'hosts.json')
  await writeFile(file, '["photos"]')
  await until('it is registered', () => at.watch.hosts().includes('photos'))
  const { changes } = at.now
  await writeFile(file, '["photos", ')
  await until('the file is reported', () => at.states().includes('hosts.json Failed'))
  expect(at.watch.hosts()).toEqual(['photos'])
  expect(at.now.changes).toBeGreaterThan(changes)
  await rm(file)
  await until('it is no longer registered', () => at.watch.hosts().length === 0)
})
