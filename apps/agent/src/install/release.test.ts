import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestFolder } from '../testing/seeded-home.ts'
import { firstDifference, hashRelease, readReleaseManifest } from './release.ts'

test('a release is whole, or the first file that is not is named', async () => {
  await using folder = await createTestFolder()
  await mkdir(join(folder.path, 'assets'))
  await writeFile(join(folder.path, 'index.html'), '<!doctype html>')
  await writeFile(join(folder.path, 'assets/app.js'), 'run()')
  await writeFile(join(folder.path, '.sources'), 'not part of it')
  expect(await readReleaseManifest(folder.path)).toBeUndefined()
  const built = await hashRelease(folder.path)
  expect(Object.keys(built?.files ?? {})).toEqual(['assets/app.js', 'index.html'])
  await writeFile(join(folder.path, 'release.json'), JSON.stringify(built))

  const check = async () => {
    const [expected, found] = [await readReleaseManifest(folder.path), await hashRelease(folder.path)]
    if (!expected || !found) throw new Error('there is a release')
    return firstDifference(expected, found)
  }
  expect(await check()).toBeUndefined()
  await writeFile(join(folder.path, 'assets/app.js'), 'steal()')
  expect(await check()).toBe('assets/app.js')
  await writeFile(join(folder.path, 'assets/app.js'), 'run()')
  await writeFile(join(folder.path, 'assets/more.js'), 'run()')
  expect(await check()).toBe('assets/more.js')
  await rm(join(folder.path, 'assets'), { recursive: true })
  expect(await check()).toBe('assets/app.js')
})

test('where nothing was built there is no release, and a manifest that cannot be read is said so', async () => {
  await using folder = await createTestFolder()
  expect(await hashRelease(join(folder.path, 'dist'))).toBeUndefined()
  await writeFile(join(folder.path, 'release.json'), '{"files":')
  await expect(readReleaseManifest(folder.path)).rejects.toThrow('cannot be read')
})
