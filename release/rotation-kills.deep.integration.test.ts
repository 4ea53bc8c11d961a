/** `atollctl rotate-key start`, killed before and after each step, between two roles too, and run again each time. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@atoll/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../apps/server/src/platform/db/index.ts'
import { requireSameKey } from '../apps/server/src/platform/keys/index.ts'
import { layOutAtollctl } from './testing/tried-atollctl.ts'

test('a rotation that is killed at any step goes on with the same two keys, and every one of them opens the database', async () => {
  await using scratch = await createTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'atoll-rotation-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'key')
  const first = 'the key that a deployment began with'
  writeFileSync(file, first)
  const { db, close } = createDatabase({ connectionString: scratch.url }, { max: 1 })
  await requireSameKey(db, [Buffer.from(first)])
  await close()
  const { run, settings } = layOutAtollctl(
    folder,
    { DATABASE_URL: scratch.url, ATOLL_SECRET_KEY_FILE: file, ATOLL_DATA_DIR: join(folder, 'data') },
    { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled') },
  )
  const keys = () => readFileSync(file, 'utf8').trim().split('\n')
  const killed = async (where: string, ended: number | null = null) => {
    writeFileSync(join(settings, 'kill'), where)
    const said = await run(['rotate-key', 'start'])
    expect([where, said.code, existsSync(join(settings, 'kill'))]).toEqual([where, ended, false])
    // Whatever was killed, a process can start with the file and the database as they are.
    const { code, out } = await run(['rotate-key', '--json'])
    expect([where, code === 0 || code === 1]).toEqual([where, true])
    return JSON.parse(out) as { key: string; others: string[]; step: string } // its own
  }
  const before = await killed('before --write add')
  expect([keys().length, before.others]).toEqual([1, []])
  // Roles are restarted by a shell of its own: the signal ends that one.
  const added = await killed('before try-restart atoll@edge.service', 137)
  const both = keys()
  expect([both.length, added.key, added.step]).toEqual([2, before.key, 'use'])
  expect(await killed('before --use')).toMatchObject({ key: before.key, step: 'use' })
  const used = await killed('after --use')
  expect([used.key !== before.key, used.others]).toEqual([true, [before.key]])
  const last = await run(['rotate-key', 'start'])
  expect(last).toMatchObject({ code: 1, out: expect.stringContaining(`New values are made with the key ${used.key}`) })
  expect(keys()).toEqual(both)
})
