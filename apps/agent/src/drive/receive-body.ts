import { type FileHandle, open } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { HttpProblem } from '../kernel/problem.ts'
import { diskFull } from './drive-problems.ts'
import type { Claim } from './drive-space.ts'

/** Writes all of `body` into a new file at `temporary`, synced; `isClaimed`: the room for it was taken before. */
export async function receiveBody(body: Readable, temporary: string, claim: Claim, isClaimed: boolean): Promise<void> {
  const file = await open(temporary, 'wx', 0o600)
  try {
    // Not destroyed on refusal: the visitor's connection would go with it, and the answer.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (!isClaimed && !(await claim.take(chunk.length))) throw diskFull()
      await writeAll(file, chunk)
      claim.written(chunk.length)
    }
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Adds `body` to the file at `place`, synced; 413 tooLarge beyond `most`. Cut off, what has come is kept. */
export async function appendBody(
  body: Readable,
  place: string,
  { most, signal, onWritten }: { most: number; signal: AbortSignal; onWritten(bytes: number): void },
): Promise<void> {
  const file = await open(place, 'r+')
  try {
    const { size } = await file.stat()
    let done = 0
    for await (const chunk of addAbortSignal(signal, body).iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      if (done + chunk.length > most) throw new HttpProblem(413, 'tooLarge', 'This is more than the upload has.')
      for (let at = 0; at < chunk.length; ) {
        const { bytesWritten } = await file.write(chunk, at, chunk.length - at, size + done)
        at += bytesWritten
        done += bytesWritten
        onWritten(bytesWritten)
      }
    }
  } finally {
    await file.datasync().finally(() => file.close())
  }
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten
}
