/** A drive in a snapshot of real restic, and the console that looks into it. */
import { randomBytes } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { LookResult, mostLookBox, RestoreResult, RunResult } from '@atoll/contract/agents'
import { LookPage } from '@atoll/contract/backups'
import { compactDecrypt, exportJWK, generateKeyPair } from 'jose'
import { expect } from 'vitest'
import { ensureResticOf } from '../../../../../scripts/programs/restic.ts'
import { textOfBytes } from '../repository/byte-names.ts'
import { placeOf } from '../repository/find-entry.ts'
import { backupId, createBackupHarness, sealFor } from './backup-harness.ts'
import { newestRestic } from './supported-restics.ts'

/** A name of the longest kind, one of two lines, and one that is no UTF-8. */
export const newline = 'two\nlines "and" more'
export const longest = `${'x'.repeat(251)}.txt`
export const odd = Buffer.from('caf\xe9 \xff.bin', 'latin1')
export const oddText = textOfBytes(odd)
export const lookFiles: Record<string, string | Buffer> = {
  'notes.txt': 'Low tide at noon',
  'thesis.pdf': randomBytes(70_000),
  [newline]: 'a line',
  [longest]: 'long',
}

export type LookHarness = Awaited<ReturnType<typeof openLookHarness>>
type Asked = { path: string; find?: string; offset?: number; password?: string }

/** `Uni` with `lookFiles` and `Uni/Notes` with the odd one, and what `fill` adds to the drive. */
export async function openLookHarness(fill: (drive: string) => Promise<void> = async () => undefined) {
  const harness = await createBackupHarness((await ensureResticOf(newestRestic.suite)) ?? '')
  const key = await generateKeyPair('ECDH-ES', { crv: 'P-256' })
  const { drive } = harness.home
  await mkdir(join(drive, 'Uni/Notes'), { recursive: true })
  for (const [name, content] of Object.entries(lookFiles)) await writeFile(join(drive, 'Uni', name), content)
  await writeFile(placeOf(drive, ['Uni', 'Notes', odd]), 'any bytes')
  await utimes(join(drive, 'Uni/notes.txt'), 1_600_000_000, 1_600_000_000)
  await fill(drive)
  const common = { repository: harness.repository('look'), backupId }
  const box = await sealFor(harness.backups.publicKey)
  const made = RunResult.parse(await harness.ask('backup.run', { ...common, paths: ['/'], first: true, box }))
  if (made.outcome !== 'done') {
    await harness[Symbol.asyncDispose]()
    throw new Error(`no backup was made: ${JSON.stringify(made)}`)
  }
  const { snapshotId } = made
  harness.source.grant = async () => ({ repository: harness.repository('look'), isFresh: true })

  async function look(query: Asked) {
    const asked = { find: '', offset: 0, ...query, key: await exportJWK(key.publicKey) }
    const box = await sealFor(harness.backups.publicKey, JSON.stringify(asked))
    const result = LookResult.parse(await harness.ask('backup.look', { backupId, snapshotId, box }))
    if (result.outcome === 'failed') return result
    expect(result.page.length).toBeLessThanOrEqual(mostLookBox)
    const { plaintext } = await compactDecrypt(result.page, key.privateKey)
    return LookPage.parse(JSON.parse(gunzipSync(plaintext).toString()))
  }

  return {
    drive,
    folder: harness.home.folder,
    look,
    async page(query: Asked): Promise<LookPage> {
      const got = await look(query)
      if ('outcome' in got) throw new Error(`not listed: ${JSON.stringify(got)}`)
      return got
    },
    async restore(paths: readonly string[], target: object, into?: string) {
      const choice = await sealFor(harness.backups.publicKey, JSON.stringify({ paths, into }))
      return RestoreResult.parse(await harness.ask('backup.restore', { ...common, snapshotId, choice, target }))
    },
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  }
}
