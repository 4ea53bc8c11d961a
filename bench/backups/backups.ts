/**
 * Costs of backups: restic 0.18 through the vault against restic's own server and against a folder, the agent's root
 * hash of a tree, verifying stored data, a long list, and many uploads at once.
 */
import { execFile } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgresServer } from '@atoll/testkit'
import { renewManifest } from '../../apps/agent/src/backup/manifest/kept-manifest.ts'
import { stampTree } from '../../apps/agent/src/backup/manifest/tree-stamps.ts'
import { createVault } from '../../apps/server/src/modules/vault/index.ts'
import { restics } from '../../apps/server/src/modules/vault/testing/restic-programs.ts'
import { openVaultHarness } from '../../apps/server/src/modules/vault/testing/vault-harness.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createDatabase, migrate } from '../../apps/server/src/platform/db/index.ts'
import { silentLog } from '../../apps/server/src/platform/log.ts'
import { median, type Ratio } from '../figures.ts'
import { measureList, measureScrub } from './kept-files.ts'
import { type Opened, type Place, placesOf, removeFolder, startRestServer, startVault } from './places.ts'
import { processorSeconds } from './processor.ts'
import { measureUploads } from './uploads.ts'

const run = promisify(execFile)
const largeFiles = { count: 16, bytes: 64 * 2 ** 20 }
const smallFiles = { folders: 100, each: 100 }

interface Spent {
  wall: number
  processor: number
}
type Kind = 'backup' | 'restore'
type Round = Record<Place['name'], Record<Kind, Spent>> & {
  first: number
  again: number
  againWall: number
  /** A bare `lstat` of each entry, without which there is no root. */
  bare: number
}

/** ATOLL_BENCH_ROUNDS (5 if not set), each of all places in turn. */
export async function measureBackups(): Promise<(Ratio | string)[]> {
  const program = restics['0.18']
  if (program === undefined) return ['SKIPPED backups: there is no restic 0.18']
  const rounds = Number(process.env['ATOLL_BENCH_ROUNDS'] ?? 5)
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-backups-'))
  const vaultFolder = join(folder, 'vault')
  const postgres = await startPostgresServer()
  const url = postgres.url('postgres')
  const database = createDatabase({ connectionString: url })
  const children = []
  try {
    await migrate(database.pool)
    const vault = createVault({
      strayMs: 0,
      db: database.db,
      clock: systemClock,
      log: silentLog,
      config: { host: '127.0.0.1', vaultUrl: 'http://127.0.0.1', vaultDir: vaultFolder },
      readQuota: async () => null,
      onDamaged: async () => undefined,
    })
    const rows = { db: database.db, vault, harness: await openVaultHarness(database, vault, systemClock) }
    const listening = await startVault(url, vaultFolder)
    const rest = await startRestServer(join(folder, 'rest'))
    children.push(listening.child, rest.child)
    makeTree(join(folder, 'tree'))
    const places = placesOf({ folder, vaultFolder }, { ...listening, rows }, rest)
    const all: Round[] = []
    let kept: Opened | undefined
    for (let round = 0; round < rounds; round += 1) {
      // In another order each time: what an earlier one left to be written is not always the same one's trouble.
      const turned = [...places.slice(round % places.length), ...places.slice(0, round % places.length)]
      const measured = await measureRound(turned, { program, folder, isLast: round === rounds - 1 })
      all.push(measured.round)
      kept = measured.kept ?? kept
    }
    const list = await measureList(rows, listening)
    const uploads = await measureUploads(rows, listening, vaultFolder)
    listening.child.kill()
    return [
      ...ratiosOf(all),
      await measureScrub(rows, { folder: kept?.folder ?? '', vaultFolder, rounds }),
      list,
      uploads,
    ]
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await database.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** 1 GiB that cannot be made smaller, and 10 000 files of 1 to 8 kB. */
function makeTree(path: string): void {
  const bytes = Buffer.alloc(largeFiles.bytes)
  mkdirSync(join(path, 'large'), { recursive: true })
  for (let file = 0; file < largeFiles.count; file += 1)
    writeFileSync(join(path, 'large', `${file}`), randomFillSync(bytes))
  for (let at = 0; at < smallFiles.folders; at += 1) {
    mkdirSync(join(path, `small-${at}`))
    for (let file = 0; file < smallFiles.each; file += 1) {
      const size = 1024 * (1 + ((at + file) % 8))
      writeFileSync(join(path, `small-${at}`, `${file}`), randomFillSync(bytes.subarray(0, size)))
    }
  }
}

/** `kept`: of the last round, the vault's repository. */
async function measureRound(
  places: Place[],
  { program, folder, isLast }: { program: string; folder: string; isLast: boolean },
): Promise<{ round: Round; kept: Opened | undefined }> {
  const round = {} as Round // filled place by place
  let kept: Opened | undefined
  for (const place of places) {
    const opened = await place.open()
    const [cache, target] = [join(folder, 'cache'), join(folder, 'restored')]
    const env = { RESTIC_REPOSITORY: opened.repository, RESTIC_PASSWORD: 'a password', RESTIC_CACHE_DIR: cache }
    const restic = (...args: string[]) => run(program, ['--quiet', ...args], { env, cwd: folder })
    const spend = async (...args: string[]): Promise<Spent> => {
      // Flushes the writes of earlier runs, so that this one is not charged for them.
      await run('sync')
      const before = secondsOf(place)
      const begun = performance.now()
      await restic(...args)
      return { wall: (performance.now() - begun) / 1000, processor: secondsOf(place) - before }
    }
    await restic('init')
    const backup = await spend('backup', 'tree')
    if (place.name === 'vault') {
      const hashFile = join(folder, 'hashes.json')
      removeFolder(hashFile)
      round.first = await manifestSeconds(join(folder, 'tree'), hashFile)
      round.againWall = (await spend('backup', 'tree')).wall
      round.again = await manifestSeconds(join(folder, 'tree'), hashFile)
      round.bare = lstatSeconds(join(folder, 'tree'))
    }
    round[place.name] = { backup, restore: await spend('restore', 'latest', '--target', target) }
    removeFolder(target)
    removeFolder(cache)
    if (place.name === 'vault' && isLast) kept = opened
    else removeFolder(opened.folder)
  }
  return { round, kept }
}

/** Of restic, which this process waited for, and of who takes its bytes. */
function secondsOf({ pid }: Place): number {
  return processorSeconds('self', 'children') + (pid === undefined ? 0 : processorSeconds(pid, 'own'))
}

/** The work of a run besides restic: the stamps before it, and the root after it. */
async function manifestSeconds(root: string, hashFile: string): Promise<number> {
  const begun = performance.now()
  const places = ['.']
  const before = await stampTree(root, places)
  const { signal } = new AbortController()
  await renewManifest({ root, places, key: 'key', signal, before, file: hashFile })
  return (performance.now() - begun) / 1000
}

function lstatSeconds(root: string): number {
  const begun = performance.now()
  for (const folder of readdirSync(root))
    for (const file of readdirSync(join(root, folder))) lstatSync(`${root}/${folder}/${file}`, { bigint: true })
  return (performance.now() - begun) / 1000
}

function ratiosOf(rounds: Round[]): (Ratio | string)[] {
  const compare = (kind: Kind, what: keyof Spent, against: Place['name']) => ({
    value: median(rounds.map((round) => round.vault[kind][what] / round[against][kind][what])),
    from: (['vault', "restic's server", 'folder'] as const)
      .map((name) => `${name} ${median(rounds.map((round) => round[name][kind][what])).toFixed(2)} s`)
      .join(', ')
      .concat(`; median of ${rounds.length}`),
  })
  const share = (
    name: string,
    part: (round: Round) => number,
    of: (round: Round) => number,
    atMost: number,
    more = '',
  ): Ratio => ({
    name,
    value: median(rounds.map((round) => part(round) / of(round))),
    target: { atMost },
    from: `${median(rounds.map(part)).toFixed(3)} s, restic ${median(rounds.map(of)).toFixed(2)} s${more}`,
  })
  const walls = (['backup', 'restore'] as const).map((kind) => ({
    name: `${kind} through the vault against restic's own server`,
    ...compare(kind, 'wall', "restic's server"),
    target: { atMost: 1.15 },
  }))
  const processors = (['backup', 'restore'] as const).map((kind) => ({
    name: `${kind}, seconds of processor of restic and vault against restic to a folder`,
    ...compare(kind, 'processor', 'folder'),
    target: { atMost: kind === 'backup' ? 1.25 : 1.15 },
  }))
  const toFolder = (['backup', 'restore'] as const).map(
    (kind) => `${kind} through the vault against a folder, time: ${compare(kind, 'wall', 'folder').value.toFixed(2)}`,
  )
  return [
    ...walls,
    ...processors,
    ...toFolder,
    share(
      'root of a tree against the first backup',
      (one) => one.first,
      (one) => one.vault.backup.wall,
      0.2,
    ),
    share(
      'root of a tree against a backup without changes',
      (one) => one.again,
      (one) => one.againWall,
      0.12,
      `; a bare lstat of all of it ${median(rounds.map(({ bare }) => bare)).toFixed(3)} s`,
    ),
  ]
}
