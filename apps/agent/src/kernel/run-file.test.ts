import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createTestFolder } from '../testing/seeded-home.ts'
import { openHome } from './home.ts'
import { lastRun, writeRunFile } from './run-file.ts'

test('the port of the last run is asked for again; a damaged note of it is no port', async () => {
  await using folder = await createTestFolder()
  const home = await openHome(folder.path)
  expect(await lastRun(home)).toBeUndefined()
  await writeRunFile(home, { pid: 1, port: 4321, bootId: 'b' })
  expect((await lastRun(home))?.port).toBe(4321)
  await writeFile(home.run, '{"pid":')
  expect(await lastRun(home)).toBeUndefined()
})
