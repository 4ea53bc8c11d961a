/** Step `prepare`: the disk has room and keeps what is written to it. */
import { randomBytes } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Step } from '../../drive/install-step.ts'

/** Below this a personal server is of no use, bytes. */
const leastFreeBytes = 64 * 1024 * 1024
/** Written and read back, bytes. */
const probeLength = 256 * 1024

export const prepareDisk: Step = async ({ home, drive, say }) => {
  const free = await drive.space.freeBytes()
  say('prepare', `${inMiB(free)} MiB free`)
  if (free < leastFreeBytes)
    throw new Error(
      `Only ${inMiB(free)} MiB are free on the disk of the instance; ${inMiB(leastFreeBytes)} MiB are needed. Choose a larger disk, and retry.`,
    )
  await probeDisk(join(home.uploads, 'disk-probe'))
  say('prepare', `disk keeps what is written (${probeLength / 1024} KiB written, synced, read back)`)
}

async function probeDisk(path: string): Promise<void> {
  const bytes = randomBytes(probeLength)
  try {
    const file = await open(path, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    if (!bytes.equals(await readFile(path)))
      throw new Error('The disk of the instance gives back other bytes than were written. Replace it, and retry.')
  } finally {
    await rm(path, { force: true })
  }
}

function inMiB(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024)
}
