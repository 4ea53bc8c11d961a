import { beforeEach, expect, it } from 'vitest'
import { agree, awaitBox, checkReceipt, openBox, packBox } from './hand-over.ts'
import { createKeychain } from './keychain.ts'
import { memoryStorage } from './memory-storage.fixture.ts'
import { vaultStorageKey } from './vault-file.ts'

const reef = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'.split(' ')
const lena = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' ')
const former = 'https://wallet.before.example'

/** One origin: what it keeps, and what one tab of it remembers. */
const newOrigin = () => ({ storage: memoryStorage(), session: memoryStorage() })
let before = newOrigin()
let now = newOrigin()

const keychainAt = ({ storage }: typeof before) => createKeychain({ storage, rounds: 10 })

beforeEach(async () => {
  before = newOrigin()
  now = newOrigin()
  const keychain = keychainAt(before)
  await keychain.create('271828')
  await keychain.add(reef)
})

/** To the box, as the two pages do it. */
async function sendBox() {
  const pass = agree(before.session)
  const key = await awaitBox(now.session, former)
  return { pass, key, box: await packBox(before, { pass, key }, { credentials: 1 }) }
}

it('brings a vault, still sealed, to where its passcode opens it, and only then says that it may go', async () => {
  const { box = '' } = await sendBox()
  const handOver = await openBox(now.session, box)
  expect(handOver).toMatchObject({ from: former, belongings: { credentials: 1 } })
  if (!handOver) return
  const keychain = keychainAt(now)
  await expect(keychain.takeOver(handOver.vault, '314159')).rejects.toThrow('passcode')
  expect(now.storage.content.get(vaultStorageKey)).toBeUndefined()
  await keychain.takeOver(handOver.vault, '271828')
  expect(now.storage.content.get(vaultStorageKey)).toBe(before.storage.content.get(vaultStorageKey))
  expect(await keychain.revealWords(keychain.getState().defaultDid ?? '', '271828')).toEqual(reef)
  expect(checkReceipt(before, handOver.receipt, { credentials: 1 })).toBe('kept')
})

it('is sent only for the pass that this tab gave, and once', async () => {
  const key = await awaitBox(now.session, former)
  expect(await packBox(before, { pass: '', key }, {})).toBeUndefined()
  agree(before.session)
  expect(await packBox(before, { pass: 'of somebody else', key }, {})).toBeUndefined()
  const { pass, box } = await sendBox()
  expect(box).toBeDefined()
  expect(await packBox(before, { pass, key }, {})).toBeUndefined()
})

it('opens only in the tab that awaited it, and once', async () => {
  const { box = '' } = await sendBox()
  expect(await openBox(newOrigin().session, box)).toBeUndefined()
  const other = newOrigin()
  await awaitBox(other.session, former)
  expect(await openBox(other.session, box)).toBeUndefined()
  expect(await openBox(now.session, box)).toBeDefined()
  expect(await openBox(now.session, box)).toBeUndefined()
})

it('is not opened when one byte of it has changed', async () => {
  const { box = '' } = await sendBox()
  expect(
    await openBox(now.session, `${box.slice(0, -9)}${box.at(-9) === 'A' ? 'B' : 'A'}${box.slice(-8)}`),
  ).toBeUndefined()
})

it('stays where it was without the receipt, and when it changed meanwhile', async () => {
  await sendBox()
  expect(checkReceipt(before, 'a guess', { credentials: 1 })).toBe('unknown')
  // A credential came.
  const receive = async () => (await openBox(now.session, (await sendBox()).box ?? ''))?.receipt ?? ''
  expect(checkReceipt(before, await receive(), { credentials: 2 })).toBe('changed')
  const receipt = await receive()
  const keychain = keychainAt(before)
  await keychain.unlock('271828')
  await keychain.add(lena)
  expect(checkReceipt(before, receipt, { credentials: 1 })).toBe('changed')
})

it('joins the vault that is there already, under the passcode of that one', async () => {
  const keychain = keychainAt(now)
  await keychain.create('161803')
  const own = await keychain.add(lena)
  const { box = '' } = await sendBox()
  const handOver = await openBox(now.session, box)
  if (!handOver) throw new Error('not opened')
  keychain.lock()
  await expect(keychain.takeOver(handOver.vault, '271828')).rejects.toThrow('Unlock first')
  await keychain.unlock('161803')
  await keychain.takeOver(handOver.vault, '271828')
  await keychain.takeOver(handOver.vault, '271828')
  const [first, second, ...more] = keychain.getState().identities.map(({ did }) => did)
  expect([first, more]).toEqual([own, []])
  expect(await keychain.revealWords(second ?? '', '161803')).toEqual(reef)
})
