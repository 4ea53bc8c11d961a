/** The console looks into a snapshot, with real restic: no name passes in the clear. */
import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { mostLookBox } from '@atoll/contract/agents'
import { LookPage } from '@atoll/contract/backups'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LookHarness, longest, newline, openLookHarness } from '../testing/look-harness.ts'
import { packPage } from './look-task.ts'

let harness: LookHarness
beforeAll(async () => {
  harness = await openLookHarness()
})
afterAll(() => harness?.[Symbol.asyncDispose]())

test('a folder shows its entries of whatever name, with what all in a folder takes', async () => {
  const { entries } = await harness.page({ path: '/Uni' })
  expect(entries.map(({ name }) => name)).toEqual(['Notes', 'notes.txt', 'thesis.pdf', newline, longest])
  expect(entries[0]).toMatchObject({ kind: 'folder', files: 1, size: 9 })
  expect(entries[1]).toEqual({ name: 'notes.txt', kind: 'file', size: 16, files: null, modifiedAt: 1_600_000_000_000 })
})

test('a choice that leaves the drive is refused without a name in its words', async () => {
  expect(await harness.restore(['/../etc/secret'], { way: 'beside' })).toEqual({
    outcome: 'failed',
    failure: 'bad_path',
    text: 'Chosen files are not in the snapshot, or cannot be put where they were.',
  })
})

test('a page of names that do not compress holds fewer, and every one fits alone', () => {
  const entry = (name: string, folder: string) => ({
    name,
    folder,
    kind: 'file' as const,
    size: 1,
    files: null,
    modifiedAt: 1,
  })
  const longName = () => randomBytes(127).toString('hex')
  const deep = randomBytes(2048).toString('hex')
  for (const entries of [Array.from({ length: 200 }, () => entry(longName(), '/')), [entry(longName(), deep)]]) {
    const packed = packPage({ path: deep, find: '', offset: 0, entries, total: 200, truncated: false })
    expect(400 + (packed.length * 4) / 3).toBeLessThanOrEqual(mostLookBox)
    expect(LookPage.parse(JSON.parse(gunzipSync(packed).toString())).entries.length).toBeGreaterThan(0)
  }
})
