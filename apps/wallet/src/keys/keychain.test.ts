import { verifyJws } from '@atoll/did'
import { beforeEach, describe, expect, it } from 'vitest'
import { VaultDamaged, WrongPasscode } from './cipher.ts'
import { createKeychain, IdentityKnown, PasscodeDelay, VaultLocked } from './keychain.ts'
import { memoryStorage } from './memory-storage.fixture.ts'
import { VaultFile, vaultStorageKey } from './vault-file.ts'

const reef = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'.split(' ')
const reefDid = 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2'
const lena = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' ')

let storage = memoryStorage()
let time = 0
const open = () => createKeychain({ storage, now: () => time, rounds: 10 })
const stored = () => VaultFile.parse(JSON.parse(storage.content.get(vaultStorageKey) ?? ''))

beforeEach(() => {
  storage = memoryStorage()
  time = 1_700_000_000_000
})

async function withReef() {
  const keychain = open()
  await keychain.create('271828')
  await keychain.add(reef)
  return keychain
}

describe('the vault', () => {
  it('makes of known words the identity that LarePass makes', async () => {
    const keychain = await withReef()
    expect(keychain.getState()).toMatchObject({ vault: 'present', locked: false, defaultDid: reefDid })
  })

  it('stores neither the words, nor the passcode, nor the private key', async () => {
    await withReef()
    const text = [...storage.content.values()].join()
    for (const secret of ['abandon', 'about', '271828', 'privateKey']) expect(text).not.toContain(secret)
  })

  it('stretches with 600 000 rounds and a random salt of 16 bytes by default', async () => {
    const keychain = createKeychain({ storage })
    await keychain.create('271828')
    const { kdf } = stored()
    expect(kdf.rounds).toBe(600_000)
    expect(atob(kdf.salt)).toHaveLength(16)
    const other = memoryStorage()
    await createKeychain({ storage: other, rounds: 10 }).create('271828')
    expect(other.content.get(vaultStorageKey)).not.toContain(kdf.salt)
  })

  it('opens again after a reload with the right passcode only', async () => {
    await withReef()
    const keychain = open()
    expect(keychain.getState().locked).toBe(true)
    await expect(keychain.unlock('271829')).rejects.toThrow(WrongPasscode)
    expect(keychain.getState().locked).toBe(true)
    await keychain.unlock('271828')
    expect(await keychain.sign(reefDid, { a: 1 })).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  it('signs only while open', async () => {
    const keychain = await withReef()
    keychain.lock()
    await expect(keychain.sign(reefDid, {})).rejects.toThrow(VaultLocked)
    await expect(keychain.add(lena)).rejects.toThrow(VaultLocked)
  })

  it('refuses sealed words that were changed', async () => {
    const keychain = await withReef()
    const file = stored()
    const [entry] = file.entries
    if (!entry) throw new Error('the vault is empty')
    const data = `${entry.sealed.data[0] === 'A' ? 'B' : 'A'}${entry.sealed.data.slice(1)}`
    storage.setItem(
      vaultStorageKey,
      JSON.stringify({ ...file, entries: [{ ...entry, sealed: { ...entry.sealed, data } }] }),
    )
    await expect(keychain.sign(reefDid, {})).rejects.toThrow(VaultDamaged)
  })

  it('refuses sealed words moved to another identity', async () => {
    const keychain = await withReef()
    const lenaDid = await keychain.add(lena)
    const file = stored()
    const [first, second] = file.entries
    if (!first || !second) throw new Error('two identities expected')
    const swapped = [
      { ...first, sealed: second.sealed },
      { ...second, sealed: first.sealed },
    ]
    storage.setItem(vaultStorageKey, JSON.stringify({ ...file, entries: swapped }))
    await expect(keychain.sign(lenaDid, {})).rejects.toThrow(VaultDamaged)
  })

  it.each(['not json', '{}', '{"version":2}'])('reports a vault it cannot read and leaves it alone: %s', (text) => {
    storage.setItem(vaultStorageKey, text)
    expect(open().getState()).toMatchObject({ vault: 'damaged', locked: true, identities: [] })
    expect(storage.content.get(vaultStorageKey)).toBe(text)
  })

  it('never replaces a readable vault', async () => {
    const keychain = await withReef()
    await expect(keychain.create('111222')).rejects.toThrow()
    expect(keychain.getState().identities).toHaveLength(1)
  })
})

describe('several identities', () => {
  it('signs with the key of each under its own DID', async () => {
    const keychain = await withReef()
    const lenaDid = await keychain.add(lena)
    for (const did of [reefDid, lenaDid]) {
      const { payload } = await verifyJws(await keychain.sign(did, { for: did }), { did })
      expect(payload).toEqual({ for: did })
    }
    expect(keychain.getState().defaultDid).toBe(reefDid)
  })

  it('holds each identity once', async () => {
    const keychain = await withReef()
    await expect(keychain.add(reef)).rejects.toThrow(IdentityKnown)
  })

  it('keeps names, the default and registration over a reload', async () => {
    const keychain = await withReef()
    const lenaDid = await keychain.add(lena)
    keychain.chooseDefault(lenaDid)
    keychain.markRegistered(lenaDid)
    keychain.setName(lenaDid, 'lena@atoll.test')
    const { identities, defaultDid } = open().getState()
    expect(defaultDid).toBe(lenaDid)
    expect(identities[1]).toEqual({ did: lenaDid, name: 'lena@atoll.test', registered: true, createdAt: time })
  })

  it('passes the default on when it is deleted, and goes with the last one', async () => {
    const keychain = await withReef()
    const lenaDid = await keychain.add(lena)
    keychain.remove(reefDid)
    expect(keychain.getState()).toMatchObject({ defaultDid: lenaDid, vault: 'present' })
    keychain.remove(lenaDid)
    expect(keychain.getState()).toMatchObject({ vault: 'none', locked: true })
    expect(storage.content.size).toBe(0)
  })

  it('sees what another tab kept, and locks when that tab erased everything', async () => {
    const here = await withReef()
    const there = open()
    await there.unlock('271828')
    await there.add(lena)
    here.refresh()
    expect(here.getState().identities).toHaveLength(2)
    there.erase()
    here.refresh()
    expect(here.getState()).toMatchObject({ vault: 'none', locked: true })
  })
})

describe('the passcode', () => {
  it('shows the words again for the right one only', async () => {
    const keychain = await withReef()
    await expect(keychain.revealWords(reefDid, '000001')).rejects.toThrow(WrongPasscode)
    expect(await keychain.revealWords(reefDid, '271828')).toEqual(reef)
  })

  it('changes without touching the identities', async () => {
    const keychain = await withReef()
    const before = stored().entries
    await keychain.changePasscode('271828', '314159')
    expect(stored().entries).toEqual(before)
    const again = open()
    await expect(again.unlock('271828')).rejects.toThrow(WrongPasscode)
    await again.unlock('314159')
    expect(await again.revealWords(reefDid, '314159')).toEqual(reef)
  })

  it('makes wrong ones wait, longer each time, over reloads, and forgives after a right one', async () => {
    await withReef()
    const waits: number[] = []
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const keychain = open()
      await expect(keychain.unlock('999999')).rejects.toThrow(WrongPasscode)
      waits.push((keychain.getState().waitUntil - time) / 1000)
      if (keychain.getState().waitUntil > time) {
        await expect(keychain.unlock('271828')).rejects.toThrow(PasscodeDelay)
        time = keychain.getState().waitUntil
      }
    }
    expect(waits).toEqual([0, 0, 5, 15, 30, 60, 300, 300])
    const keychain = open()
    await keychain.unlock('271828')
    expect(keychain.getState().waitUntil).toBe(0)
  })
})
