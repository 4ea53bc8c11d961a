import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestFolder } from '../testing/seeded-home.ts'
import { watchHome } from './watch-home.ts'

test.each([
  ['removed', (home: string) => rm(home, { recursive: true })],
  ['replaced', (home: string) => rename(home, `${home}.old`).then(() => mkdir(home))],
])('a home that is %s is noticed, once', async (_, change) => {
  await using folder = await createTestFolder()
  const home = join(folder.path, 'home')
  await mkdir(home)
  let calls = 0
  const gone = Promise.withResolvers<void>()
  const stop = await watchHome(
    home,
    () => {
      calls += 1
      gone.resolve()
    },
    5,
  )
  await mkdir(join(home, 'drive'))
  await change(home)
  await gone.promise
  stop()
  expect(calls).toBe(1)
})
