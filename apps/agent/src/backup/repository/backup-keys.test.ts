import { expect, test } from 'vitest'
import { createTestFolder } from '../../testing/seeded-home.ts'
import { openBackupKeys, sealFor } from './backup-keys.ts'

test('a box for another machine opens nothing, and asks for a password only where one was in it', async () => {
  await using own = await createTestFolder()
  await using other = await createTestFolder()
  const [keys, others] = [await openBackupKeys(own.path), await openBackupKeys(other.path)]
  const box = await sealFor(others.publicKey, 'words')
  expect(await others.open(box)).toBe('words')
  await expect(keys.open(box)).rejects.toMatchObject({ failure: 'failed' })
  await expect(keys.find('bk_aaaaaaaa', box)).rejects.toMatchObject({ failure: 'no_password' })
})
