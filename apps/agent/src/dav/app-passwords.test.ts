import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHome } from '../kernel/home.ts'
import { createLog } from '../kernel/log.ts'
import { createTestFolder } from '../testing/seeded-home.ts'
import { openAppPasswords } from './app-passwords.ts'

test('a device on two networks in turn is a new place once each in five minutes, and not at each request', async () => {
  await using folder = await createTestFolder()
  let time = 1e12
  const home = await openHome(join(folder.path, 'home'))
  const passwords = await openAppPasswords(home, createLog({ write: () => undefined }), () => time)
  const { password } = await passwords.make('Laptop')
  const use = (network: string) => passwords.use(password, network)?.isNewPlace
  expect(['a', 'b', 'a', 'b'].map(use)).toEqual([true, true, false, false])
  time += 5 * 60_000 + 1
  expect(['b', 'a', 'b'].map(use)).toEqual([false, true, false])
  await passwords.revokeAll() // after all that is still being written
  expect((await stat(home.appPasswords)).mode & 0o777).toBe(0o600)
})
