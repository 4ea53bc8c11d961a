import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHome, removeLeftovers } from '../kernel/home.ts'
import { createTestFolder } from '../testing/seeded-home.ts'
import { openTestDrive, put, read } from '../testing/test-drive.ts'
import { putBackSetAside, setAside } from './set-aside.ts'

test.each(['the old tree', 'the new tree'])('a kill while a folder is replaced leaves %s', async (left) => {
  await using folder = await createTestFolder()
  const home = await openHome(folder.path)
  const drive = await openTestDrive(folder.path)
  for (const name of ['old', 'new']) {
    await drive.makeFolder(`/${name}`)
    await put(drive, `/${name}/a.txt`, name)
  }
  await setAside({ root: home.drive, names: ['old'] }, join(home.uploads, 'aside'))
  if (left === 'the new tree') await drive.move('/new', '/old')
  await putBackSetAside({ root: home.drive, uploads: home.uploads })
  await removeLeftovers(home)
  expect(await read(drive, '/old/a.txt')).toBe(left === 'the new tree' ? 'new' : 'old')
  expect(await readdir(home.uploads)).toEqual([])
})

test.each(['nothing', 'a file'])('a kill, and %s where its folder was: it comes back all the same', async (there) => {
  await using folder = await createTestFolder()
  const home = await openHome(folder.path)
  const drive = await openTestDrive(folder.path)
  for (const path of ['/a', '/a/b', '/a/b/old']) await drive.makeFolder(path)
  await put(drive, '/a/b/old/a.txt', 'old')
  await setAside({ root: home.drive, names: ['a', 'b', 'old'] }, join(home.uploads, 'aside'))
  await rm(join(home.drive, 'a'), { recursive: true })
  if (there === 'a file') await writeFile(join(home.drive, 'a'), 'in its place')
  await putBackSetAside({ root: home.drive, uploads: home.uploads })
  expect(await read(drive, there === 'nothing' ? '/a/b/old/a.txt' : '/Put back aside/a.txt')).toBe('old')
})

test('a folder that was replaced does not come back', async () => {
  await using folder = await createTestFolder()
  const home = await openHome(folder.path)
  const drive = await openTestDrive(folder.path)
  for (const name of ['old', 'new']) await drive.makeFolder(`/${name}`)
  await mkdir(join(home.drive, 'old', 'below'))
  await drive.move('/new', '/old', { replace: true })
  expect(await readdir(home.uploads)).toEqual([])
  expect((await drive.list('/old')).entries).toEqual([])
})
