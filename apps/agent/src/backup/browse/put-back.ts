/**
 * Puts an entry of a snapshot back into the drive. It takes as long as it takes, so it goes on without the visitor, one
 * at a time. States: running → done | failed; shown until the next one begins, and forgotten with the process: what it
 * had restored by then lies in `uploads/`, which the next start empties.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PutBack, PutBackOrder } from '@atoll/contract/personal-server-backups'
import type { z } from 'zod'
import type { Drive } from '../../drive/drive.ts'
import { parseDrivePath } from '../../drive/drive-path.ts'
import { diskFull } from '../../drive/drive-problems.ts'
import { hasErrorCode } from '../../kernel/atomic-file.ts'
import { HttpProblem } from '../../kernel/problem.ts'
import { bytesOfText, readableOf } from '../repository/byte-names.ts'
import { findEntry, placeOf } from '../repository/find-entry.ts'
import type { Repository } from '../repository/repository.ts'
import { toHttpProblem } from './browse-problem.ts'
import { readLsLine, type SnapshotEntry } from './ls-output.ts'
import { putInPlace } from './put-in-place.ts'
import { bytesOfPath, parseSnapshotPath, patternOf } from './snapshot-path.ts'

type Order = z.output<typeof PutBackOrder>

export interface PutBackOptions {
  drive: Drive
  root: string
  uploads: string
  signal: AbortSignal
  /** The entry as the snapshot has it; 404. */
  find(order: Order, names: readonly string[]): Promise<SnapshotEntry>
  withRepository<Result>(order: Order, act: (repository: Repository) => Promise<Result>): Promise<Result>
  /** It failed in a way that nobody foresaw. */
  onDefect(error: unknown): void
}

export interface PutBacks {
  /** Begins; 400 badName, 404, 409 notAFile, 503 busy while another one runs. */
  begin(order: Order): Promise<PutBack>
  /** 404 notFound: the process has restarted since. */
  show(id: string): PutBack
}

/** Of what restic cannot reach now it may come back within this; longer, the visitor tries again. ms */
const patienceMs = 30_000

export function createPutBacks({ drive, root, uploads, signal, find, withRepository, onDefect }: PutBackOptions) {
  let last: PutBack | undefined
  let isTaken = false

  async function begin(order: Order): Promise<PutBack> {
    const names = parseSnapshotPath(order.path)
    if (names.length === 0) throw new HttpProblem(400, 'badName', 'This is the drive itself.')
    for (const name of [order.besideName, order.keptName]) checkOneName(name)
    if (isTaken) throw new HttpProblem(503, 'busy', 'Something else is being put back.')
    isTaken = true
    try {
      const entry = await find(order, names)
      if (entry.kind !== 'file' && entry.kind !== 'folder')
        throw new HttpProblem(409, 'notAFile', `${readableOf(order.path)} is a link or a device.`)
      last = { id: randomUUID(), state: 'running', placed: null, problem: null }
      void run(last.id, order, names, entry).then((ended) => {
        last = ended
        isTaken = false
      })
      return last
    } catch (error) {
      isTaken = false
      throw error
    }
  }

  /** How it ended; what it needed on the disk is gone by then. */
  async function run(id: string, order: Order, names: readonly string[], entry: SnapshotEntry): Promise<PutBack> {
    const folder = join(uploads, randomBytes(12).toString('hex'))
    const claim = drive.space.openClaim()
    try {
      await mkdir(folder, { mode: 0o700 })
      const placed = await withRepository(order, async (repository) => {
        const size = entry.kind === 'file' ? entry.size : await sizeIn(repository, order.snapshotId, names)
        if (!(await claim.take(size))) throw diskFull()
        const args = ['restore', order.snapshotId, '--no-lock', '--target', folder, '--include']
        await repository.run(args, { patienceMs, lastArgs: [patternOf(names)] })
        claim.written(size)
        const inside = names.map(bytesOfText)
        if (!(await findEntry(folder, inside)))
          throw new HttpProblem(404, 'notFound', `The backup has no ${readableOf(order.path)}.`)
        const keptName = order.replace ? order.keptName : undefined
        const fresh = placeOf(folder, inside)
        return await putInPlace(drive, { root, fresh, names, besideName: order.besideName, keptName })
      })
      return { id, state: 'done', placed, problem: null }
    } catch (error) {
      return { id, state: 'failed', placed: null, problem: codeOf(error) }
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(onDefect)
      claim.release()
    }
  }

  function codeOf(error: unknown) {
    const problem = toHttpProblem(error)
    if (problem instanceof HttpProblem) return problem.code
    if (hasErrorCode(error, 'ENOSPC', 'EDQUOT')) return 'diskFull'
    if (!signal.aborted) onDefect(error)
    return 'serverError'
  }

  return {
    begin,
    show(id: string): PutBack {
      if (last?.id !== id) throw new HttpProblem(404, 'notFound', 'Nothing of this id is being put back.')
      return last
    },
  } satisfies PutBacks
}

async function sizeIn(repository: Repository, snapshotId: string, names: readonly string[]): Promise<number> {
  let bytes = 0
  await repository.run(['ls', '--json', '--no-lock', '--recursive', snapshotId], {
    patienceMs,
    lastArgs: [bytesOfPath(names)],
    onLine(text) {
      const said = readLsLine(text)
      if (said?.line === 'entry') bytes += said.entry.size
    },
  })
  return bytes
}

function checkOneName(name: string): void {
  if (name.includes('/') || parseDrivePath(`/${name}`).length !== 1)
    throw new HttpProblem(400, 'badName', 'This is not one name.')
}
