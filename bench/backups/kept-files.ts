/** The vault's work on stored files: verifying and listing them. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { createFolderDriver } from '../../apps/server/src/modules/vault/drivers/folder/folder-driver.ts'
import { scrubBatch } from '../../apps/server/src/modules/vault/maintenance/scrub.ts'
import { requestScrubOf } from '../../apps/server/src/modules/vault/records/scrub-store.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { silentLog } from '../../apps/server/src/platform/log.ts'
import { median, type Ratio } from '../figures.ts'
import { openInVault, type Rows, type startVault } from './places.ts'
import { forgetPeak, peakMemory } from './processor.ts'

const run = promisify(execFile)
const longList = 100_000
const shortList = 1000

/** Without its pace, against `sha256sum` over the same files. `folder`: of a repository that is in the database. */
export async function measureScrub(
  { db }: Rows,
  { folder, vaultFolder, rounds }: { folder: string; vaultFolder: string; rounds: number },
): Promise<Ratio> {
  const driver = createFolderDriver(vaultFolder)
  const repositoryId = folder.slice(vaultFolder.length + 1)
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    let bytes = 0
    let damaged = 0
    const counts = {
      scrubbed(more: number) {
        bytes += more
      },
    }
    const onDamaged = async () => {
      damaged += 1
    }
    const deps = { db, clock: systemClock, log: silentLog, driver, counts, onDamaged }
    await requestScrubOf(db, repositoryId, systemClock.now())
    const begun = performance.now()
    while ((await scrubBatch(deps, { bytesPerSecond: Number.POSITIVE_INFINITY })) > 0);
    const middle = performance.now()
    await run('sh', ['-c', 'find "$1" -type f -exec sha256sum {} + >/dev/null', 'sh', folder])
    const end = performance.now()
    if (damaged > 0) throw new Error(`${damaged} files were damaged`)
    pairs.push({ ours: bytes / (middle - begun) / 1000, theirs: bytes / (end - middle) / 1000 })
  }
  const rate = (who: 'ours' | 'theirs') => median(pairs.map((pair) => pair[who])).toFixed(0)
  return {
    name: 'reading stored files again against sha256sum',
    value: median(pairs.map(({ ours, theirs }) => ours / theirs)),
    target: { atLeast: 0.5 },
    from: `${rate('ours')} MB/s, sha256sum ${rate('theirs')} MB/s; median of ${rounds}`,
  }
}

/** The most memory while 100 000 files are listed, against that while as many are listed in parts. */
export async function measureList(rows: Rows, { child, port }: Awaited<ReturnType<typeof startVault>>): Promise<Ratio> {
  const { pid } = child
  if (pid === undefined) throw new Error('the vault did not start')
  const open = async (files: number) => {
    const opened = await openInVault(rows, port)
    // Names as of real files: 64 hex characters. None of them is there to be read again.
    await sql`insert into vault_files (repo_id, type, name, bytes, stored_at, scrub_at)
      select ${opened.repositoryId}, 'data', encode(sha256(n::text::bytea), 'hex'), 1000, now(), now() + interval '1 day'
      from generate_series(1, ${files}::int) as n`.execute(rows.db)
    const authorization = `Basic ${Buffer.from(`${opened.grantId}:${opened.token}`).toString('base64')}`
    const headers = { authorization, accept: 'application/vnd.x.restic.rest.v2' }
    const list = async () => {
      const answer = await fetch(`${opened.url}data/`, { headers })
      const listed = (await answer.json()) as unknown[]
      if (listed.length !== files) throw new Error(`${listed.length} of ${files} files were listed`)
    }
    /** While as many are listed as the long list has. */
    return async (): Promise<number> => {
      forgetPeak(pid)
      for (let left = longList; left > 0; left -= files) await list()
      return peakMemory(pid)
    }
  }
  const [peakOfShort, peakOfLong] = [await open(shortList), await open(longList)]
  // The heap of a program that has just started grows whatever it does.
  for (let warm = 0; warm < 2; warm += 1) await peakOfShort()
  const peaks = { short: [] as number[], long: [] as number[] }
  for (let turn = 0; turn < 3; turn += 1) {
    peaks.short.push(await peakOfShort())
    peaks.long.push(await peakOfLong())
  }
  const [short, long] = [median(peaks.short), median(peaks.long)]
  return {
    name: `memory of the vault that lists ${longList} files at once against ${shortList} files at a time`,
    value: long / short,
    target: { atMost: 1.1 },
    from: `at most ${long.toFixed(0)} MB, ${short.toFixed(0)} MB`,
  }
}
