import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RegisteredHosts } from '@atoll/contract/agents'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestFolder } from '../testing/seeded-home.ts'
import { readHostFile } from './host-file.ts'

test('names are read, each once; none without a file', async () => {
  await using folder = await createTestFolder()
  const path = join(folder.path, 'hosts.json')
  expect(await readHostFile(path)).toEqual({ hosts: [] })
  await writeFile(path, JSON.stringify(['photos', 'notes-2', 'photos']))
  expect(await readHostFile(path)).toEqual({ hosts: ['photos', 'notes-2'] })
})

test.each([
  ['["photos"', 'it is not JSON'],
  ['{"photos": true}', 'the list: '],
  ['["photos", "a.b"]', '1: '],
  ['["-photos"]', '0: '],
  ['["Photos"]', '0: '],
  ['["*"]', '0: '],
  [JSON.stringify(['a'.repeat(64)]), '0: '],
  [JSON.stringify(Array.from({ length: 21 }, (_, index) => `host${index}`)), 'the list: '],
  [`["${' '.repeat(5000)}"]`, 'it is larger than 4096 bytes'],
])('%s is reported as what failed', async (text, reason) => {
  await using folder = await createTestFolder()
  const path = join(folder.path, 'hosts.json')
  await writeFile(path, text)
  const { hosts, broken } = await readHostFile(path)
  expect(hosts).toEqual([])
  expect(broken).toMatchObject({ name: 'hosts.json', state: 'Failed' })
  expect(broken?.reason).toContain(`hosts.json cannot be used. ${reason}`)
})

test('whatever stands in the file, the report can be sent', async () => {
  await using folder = await createTestFolder()
  const path = join(folder.path, 'hosts.json')
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (text) => {
      await writeFile(path, text)
      expect(RegisteredHosts.safeParse((await readHostFile(path)).hosts).success).toBe(true)
    }),
    { numRuns: 100 },
  )
})
