import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeLightRestic } from './light-restic.ts'
import { ensureResticOf } from './restic.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-light-restic-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test.each(['bookworm', 'trixie'] as const)(
  'the restic of tests from %s makes keys that one pass opens, and Debian’s own opens them too',
  async (suite) => {
    const light = (await ensureResticOf(suite)) ?? ''
    const folder = await makeFolder()
    const env = { RESTIC_REPOSITORY: join(folder, 'repository'), RESTIC_PASSWORD: 'a password for tests', HOME: folder }
    await promisify(execFile)(light, ['init'], { env })
    const [key = ''] = await readdir(join(folder, 'repository/keys'))
    const { N, p } = JSON.parse(await readFile(join(folder, 'repository/keys', key), 'utf8'))
    // One pass over the memory that Debian's own takes; that makes seven of them.
    expect(N * p).toBeLessThanOrEqual(32_768)
    const original = join(dirname(light), '../restic')
    const { stdout } = await promisify(execFile)(original, ['cat', 'config'], { env })
    expect(JSON.parse(stdout)).toMatchObject({ version: 2 })
  },
)

test('a program that measures otherwise is copied as it is', async () => {
  const folder = await makeFolder()
  const [program, target] = [join(folder, 'program'), join(folder, 'light/restic')]
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  makeLightRestic(program, target)
  expect(await readFile(target)).toEqual(await readFile(program))
  expect(await readdir(dirname(target))).toEqual(['restic'])
})
