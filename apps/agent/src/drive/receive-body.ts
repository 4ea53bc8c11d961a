import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
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

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten
}
