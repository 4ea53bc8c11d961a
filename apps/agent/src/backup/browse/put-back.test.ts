import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDrive } from '../../drive/drive.ts'
import { createTestFolder } from '../../testing/seeded-home.ts'
import { createPutBacks } from './put-back.ts'

test('what is lost comes back also while the plan has no room for new files', async () => {
  await using folder = await createTestFolder()
  const [root, uploads] = [join(folder.path, 'drive'), join(folder.path, 'uploads')]
  const putBacks = createPutBacks({
    drive: await openDrive({ root, uploads, isStopped: () => true }),
    root,
    uploads,
    signal: new AbortController().signal,
    find: async () => Promise.reject(new Error('it was searched for')),
    withRepository: async () => Promise.reject(new Error('nothing is restored here')),
    onDefect: () => undefined,
  })
  const names = { besideName: 'beside.txt', keptName: 'kept.txt', replace: true }
  const order = { backupId: 'bk_0123456789', snapshotId: 'a'.repeat(64), path: '/notes.txt', ...names }
  await expect(putBacks.begin(order)).rejects.toThrow('it was searched for')
})
