/**
 * Uploads that may be cut and go on: each is a file in `partial/` and beside it a note of what it is to become. It
 * is no file of the drive until it is whole; then it is put in place as any other upload is. The room for all of
 * it is taken at its beginning, also over restarts. It ends when nobody has gone on with it for a day, or when another
 * to its path begins while nobody sends it.
 *   begun → receiving ⇄ waiting → whole → in place, or refused and waiting again; only `receive` writes, one request at
 *   a time, the newest wins
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import { readJsonFile } from '../kernel/home.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { createTurns } from '../kernel/turns.ts'
import type { Check, Drive, Written } from './drive.ts'
import { asProblem, diskFull } from './drive-problems.ts'
import type { Claim } from './drive-space.ts'
import { appendBody } from './receive-body.ts'

/** ms */
const lifetimeMs = 24 * 3600_000
const mostUploads = 200
const sweepMs = 10 * 60_000

const Note = z.object({
  path: z.string(),
  length: z.number(),
  /** Those of the request that began it (`http/preconditions.ts`). */
  conditions: z.record(z.string(), z.string()),
  modifiedAt: z.number().nullable(),
  expiresAt: z.number(),
})
export type UploadNote = z.infer<typeof Note>

interface Upload {
  note: UploadNote
  place: string
  claim: Claim
  /** Bytes on the disk. */
  offset: number
  /** Ends the request that is sending, in favour of a newer one; resolves when it no longer writes. */
  interrupt: (() => Promise<void>) | undefined
}

export interface UploadState {
  offset: number
  length: number
  expiresAt: number
}

export interface PartialUploads {
  begin(note: Omit<UploadNote, 'expiresAt'>, check: Check): Promise<{ id: string } & UploadState>
  /** 404 notFound. */
  find(id: string): Promise<UploadState>
  /** Adds `body` at `offset`; `written` when the file is in place. 404 notFound, 409 changed at another offset. */
  receive(
    id: string,
    body: Readable,
    options: { offset: number; checkFor(note: UploadNote): Check; onAccepted?(): void },
  ): Promise<UploadState & { written?: Written }>
  end(id: string): Promise<void>
  stop(): void
}

export async function openPartialUploads(
  folder: string,
  drive: Drive,
  now: () => number = Date.now,
): Promise<PartialUploads> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const uploads = new Map<string, Upload>()
  /** Finished ones, for a client that lost the last answer and asks again; kept until a restart. */
  const finished = new Map<string, UploadState>()
  const inTurn = createTurns(1)
  const noteOf = (id: string) => join(folder, `${id}.json`)

  for (const name of await readdir(folder)) {
    const [, id] = /^([\da-f]{32})\.json$/.exec(name) ?? []
    if (id === undefined) continue
    const note = await readJsonFile(noteOf(id), Note)
    const size = await stat(join(folder, id)).then(
      (stats) => stats.size,
      () => undefined, // killed before the file was made
    )
    if (!note || size === undefined || size > note.length) continue
    const claim = drive.space.openClaim()
    claim.hold(note.length, size)
    const upload: Upload = { note, place: join(folder, id), claim, offset: size, interrupt: undefined }
    uploads.set(id, upload)
    if (size === note.length) await takeBackLast(upload)
  }
  for (const name of await readdir(folder))
    if (!uploads.has(name.replace(/\.json$/, ''))) await rm(join(folder, name), { force: true })

  async function remove(id: string, upload: Upload): Promise<void> {
    uploads.delete(id)
    try {
      for (const place of [noteOf(id), upload.place]) await rm(place, { force: true })
    } finally {
      upload.claim.release()
    }
  }

  async function sweep(): Promise<void> {
    for (const [id, upload] of uploads)
      if (upload.note.expiresAt <= now() && !upload.interrupt) await remove(id, upload)
    for (const [id, { expiresAt }] of finished) if (expiresAt <= now()) finished.delete(id)
  }
  await sweep()
  // A file that cannot be removed now goes at the next start.
  const timer = setInterval(() => void sweep().catch(() => undefined), sweepMs)
  timer.unref()

  function get(id: string): Upload {
    const upload = uploads.get(id)
    if (!upload || upload.note.expiresAt <= now()) throw new HttpProblem(404, 'notFound', 'There is no such upload.')
    return upload
  }

  const stateOf = ({ note, offset }: Upload): UploadState => ({
    offset,
    length: note.length,
    expiresAt: note.expiresAt,
  })

  /** Gives it another day, from now. */
  async function prolong(id: string, upload: Upload): Promise<void> {
    upload.note = { ...upload.note, expiresAt: now() + lifetimeMs }
    await writeFileAtomic(noteOf(id), JSON.stringify(upload.note))
  }

  /**
   * Takes the last byte off an upload that is whole and not in place: a client that is told that all of it is there
   * would take it for done, and so it comes back to finish it, or to learn what was refused.
   */
  async function takeBackLast(upload: Upload): Promise<void> {
    if (upload.note.length === 0) return
    await truncate(upload.place, upload.note.length - 1)
    upload.offset = upload.note.length - 1
    upload.claim.written(-1)
  }

  async function append(upload: Upload, body: Readable, signal: AbortSignal): Promise<void> {
    await appendBody(body, upload.place, {
      most: upload.note.length - upload.offset,
      signal,
      onWritten(bytes) {
        upload.offset += bytes
        upload.claim.written(bytes)
      },
    })
  }

  async function begin(...[wanted, check]: Parameters<PartialUploads['begin']>) {
    await sweep()
    await drive.prepare(wanted.path, { replace: true, check })
    const older = () => [...uploads].filter(([, { note, interrupt }]) => note.path === wanted.path && !interrupt)
    if (uploads.size - older().length >= mostUploads)
      throw new HttpProblem(503, 'busy', 'There are too many unfinished uploads.')
    const claim = drive.space.openClaim()
    const id = randomBytes(16).toString('hex')
    const upload: Upload = {
      note: { ...wanted, expiresAt: 0 },
      place: join(folder, id),
      claim,
      offset: 0,
      interrupt: undefined,
    }
    try {
      const freed = () => older().reduce((sum, [, { note }]) => sum + note.length, 0)
      if (!(await claim.take(wanted.length, freed))) throw diskFull()
      for (const [other, last] of older()) await remove(other, last)
      await (await open(upload.place, 'wx', 0o600)).close()
      await prolong(id, upload)
      uploads.set(id, upload)
      return { id, ...stateOf(upload) }
    } catch (error) {
      claim.release()
      return asProblem(error)
    }
  }

  return {
    // Two at once would each find room for one.
    begin: (wanted, check) => inTurn(() => begin(wanted, check)),

    async find(id) {
      const done = finished.get(id)
      if (done) return done
      const upload = get(id)
      while (upload.interrupt) await upload.interrupt()
      return stateOf(upload)
    },

    async receive(id, body, { offset, checkFor, onAccepted }) {
      let upload = get(id)
      // Nothing is awaited from the end of this loop to where `interrupt` is set: two that wait go on in one turn, and
      // both would write.
      while (upload.interrupt) {
        await upload.interrupt()
        upload = get(id)
      }
      if (offset !== upload.offset)
        throw new HttpProblem(409, 'changed', `upload-offset: the upload is at ${upload.offset}`)
      const stopping = new AbortController()
      const over = Promise.withResolvers<void>()
      upload.interrupt = () => {
        stopping.abort()
        return over.promise
      }
      try {
        onAccepted?.()
        await append(upload, body, stopping.signal).finally(() => prolong(id, upload))
        if (upload.offset < upload.note.length) return stateOf(upload)
        const { path, modifiedAt } = upload.note
        const written = await drive.adopt(upload.place, path, {
          replace: true,
          check: checkFor(upload.note),
          modifiedAt: modifiedAt === null ? undefined : new Date(modifiedAt),
        })
        finished.set(id, stateOf(upload))
        await remove(id, upload)
        return { ...stateOf(upload), written }
      } catch (error) {
        if (uploads.has(id) && upload.offset === upload.note.length) await takeBackLast(upload)
        return asProblem(error)
      } finally {
        upload.interrupt = undefined
        over.resolve()
      }
    },

    async end(id) {
      let upload = get(id)
      while (upload.interrupt) {
        await upload.interrupt()
        upload = get(id)
      }
      await remove(id, upload)
    },

    stop: () => clearInterval(timer),
  }
}
