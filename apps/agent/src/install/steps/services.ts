/** Step `services`: the drive takes, keeps, moves and gives back a file; tried on the real store, then removed. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { openDrive } from '../../drive/drive.ts'
import type { Step } from '../../drive/install-step.ts'

export const startServices: Step = async ({ home, drive, bootId, say }) => {
  // In a corner of its own: the owner's folder never shows it, and what a kill leaves is removed at the next start.
  const root = join(home.uploads, `check-${bootId}`)
  const check = await openDrive({ root, uploads: home.uploads })
  await check.makeFolder('/made')
  await check.write('/made/one', Readable.from([Buffer.from(bootId)]), { length: bootId.length, replace: true })
  await check.move('/made/one', '/made/two')
  const file = await check.open('/made/two')
  const back = await text(file.stream(0, file.size - 1))
  await file.close()
  await rm(root, { recursive: true })
  if (back !== bootId)
    throw new Error('The drive gives back another file than it was given. Replace the disk, and retry.')
  say('drive', 'upload, move, download and delete work')
  say('drive', `the owner's files take ${await drive.space.usedBytes()} bytes`)
}
