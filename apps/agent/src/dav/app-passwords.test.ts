import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHome } from '../kernel/home.ts'
import { createLog } from '../kernel/log.ts'
import { createTestFolder, stateWith } from '../testing/seeded-home.ts'
import { openAppPasswords } from './app-passwords.ts'

const log = createLog({ write: () => undefined })
const storeWith = (passwordHash: string) => ({ current: stateWith({ account: { passwordHash, activatedAt: 0 } }) })

test('a device on two networks in turn is a new place once each in five minutes, and not at each request', async () => {
  await using folder = await createTestFolder()
  let time = 1e12
  const home = await openHome(join(folder.path, 'home'))
  const passwords = await openAppPasswords({ home, log, store: storeWith('hash'), now: () => time })
  const { id, password } = await passwords.make('Laptop', 'hash')
  const use = (network: string) => passwords.use(password, network)?.isNewPlace
  expect(['a', 'b', 'a', 'b'].map(use)).toEqual([true, true, false, false])
  time += 5 * 60_000 + 1
  expect(['b', 'a', 'b'].map(use)).toEqual([false, true, false])
  await passwords.revoke(id) // after all that is still being written
  expect((await stat(home.appPasswords)).mode & 0o777).toBe(0o600)
})

test('another password of the owner ends them in the same moment, whatever the disk still holds', async () => {
  await using folder = await createTestFolder()
  const home = await openHome(join(folder.path, 'home'))
  const store = storeWith('old')
  const passwords = await openAppPasswords({ home, log, store })
  const { id, password } = await passwords.make('Laptop', 'old')
  expect([passwords.has(id), passwords.use(password, 'a')?.name]).toEqual([true, 'Laptop'])
  store.current = storeWith('new').current
  // As after a kill: nothing else was written.
  for (const opened of [passwords, await openAppPasswords({ home, log, store })]) {
    expect([opened.has(id), opened.list(), opened.use(password, 'a')]).toEqual([false, [], undefined])
    // The owner's password was checked before it changed.
    const late = await opened.make('Late', 'old')
    expect(opened.use(late.password, 'a')).toBeUndefined()
  }
  const phone = await passwords.make('Phone', 'new')
  expect(passwords.use(phone.password, 'a')?.name).toBe('Phone')
  await passwords.revoke(phone.id) // after all that is still being written
})
