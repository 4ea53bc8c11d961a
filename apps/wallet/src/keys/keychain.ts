/**
 * The only door to key material. Screens see `KeychainState`, which is public; words and private keys are opened
 * inside a call here, used, and dropped with it. The open vault key is a CryptoKey that cannot be exported, and lives
 * in this closure until the wallet locks: by hand, or after `autoLockMs` without a touch.
 *
 * Storage is written before listeners are notified, so what a screen shows has been kept.
 */

import { identityFromMnemonic, type JwsPayload, keyIdOfDid, signJws } from '@atoll/did'
import { base64 } from '@scure/base'
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import {
  passcodeRounds,
  randomBytes,
  seal,
  stretch,
  toBytes,
  unseal,
  unwrapVaultKey,
  VaultDamaged,
  WrongPasscode,
  wrapNewVaultKey,
  wrapVaultKey,
} from './cipher.ts'
import { clearAttempts, countWrongPasscode, readAttempts } from './passcode-delay.ts'
import {
  readVaultFile,
  type TextStorage,
  type VaultEntry,
  type VaultFile,
  vaultStorageKey,
  writeVaultFile,
} from './vault-file.ts'

export type WalletIdentity = Pick<VaultEntry, 'did' | 'name' | 'registered' | 'createdAt'>

export interface KeychainState {
  /** `damaged`: something unreadable is stored where the vault should be. */
  vault: 'none' | 'damaged' | 'present'
  locked: boolean
  identities: readonly WalletIdentity[]
  /** Signs when a code asks for nobody in particular; null only while there is no identity. */
  defaultDid: string | null
  /** No passcode is tried before this time, ms. */
  waitUntil: number
}

export class PasscodeDelay extends Error {}
export class IdentityKnown extends Error {}
export class VaultLocked extends Error {}

export interface KeychainOptions {
  storage: TextStorage
  now?: () => number
  rounds?: number
}

export type Keychain = ReturnType<typeof createKeychain>

export function createKeychain({ storage, now = Date.now, rounds = passcodeRounds }: KeychainOptions) {
  const listeners = new Set<() => void>()
  let vaultKey: CryptoKey | undefined
  let state = describe()

  function describe(): KeychainState {
    const file = readVaultFile(storage)
    const { waitUntil } = readAttempts(storage)
    if (file === 'none' || file === 'damaged')
      return { vault: file, locked: true, identities: [], defaultDid: null, waitUntil }
    const identities = file.entries.map(({ sealed: _, ...open }) => open)
    return { vault: 'present', locked: !vaultKey, identities, defaultDid: file.defaultDid, waitUntil }
  }

  function notify(): void {
    state = describe()
    for (const listener of listeners) listener()
  }

  function getFile(): VaultFile {
    const file = readVaultFile(storage)
    if (file === 'none' || file === 'damaged') throw new VaultDamaged('There is no readable vault.')
    return file
  }

  function save(file: VaultFile): void {
    writeVaultFile(storage, file)
    notify()
  }

  function changeEntry(did: string, change: Partial<Pick<VaultEntry, 'name' | 'registered'>>): void {
    const file = getFile()
    save({ ...file, entries: file.entries.map((entry) => (entry.did === did ? { ...entry, ...change } : entry)) })
  }

  /** @throws PasscodeDelay before `waitUntil`, WrongPasscode (counted) */
  async function openKey(passcode: string, extractable: boolean, file = getFile()): Promise<CryptoKey> {
    if (now() < readAttempts(storage).waitUntil) throw new PasscodeDelay('Too many wrong passcodes.')
    const { kdf, wrappedKey } = file
    const wrapping = await stretch(passcode, toBytes(kdf.salt), kdf.rounds)
    try {
      const key = await unwrapVaultKey(wrapping, wrappedKey, extractable)
      clearAttempts(storage)
      return key
    } catch (error) {
      if (error instanceof WrongPasscode) countWrongPasscode(storage, now())
      throw error
    } finally {
      notify()
    }
  }

  async function wordsOf(did: string, key: CryptoKey): Promise<string> {
    const entry = getFile().entries.find((each) => each.did === did)
    if (!entry) throw new VaultDamaged(`The vault has no ${did}.`)
    const entropy = await unseal(key, entry.sealed, did)
    const words = entropyToMnemonic(entropy, wordlist)
    entropy.fill(0)
    return words
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getState: (): KeychainState => state,

    /** Reads storage again: another tab wrote it. A vault that is gone or another one locks this tab. */
    refresh(): void {
      if (storage.getItem(vaultStorageKey) === null) vaultKey = undefined
      notify()
    },

    /** Makes an empty vault and leaves it open. Replaces a damaged one; a readable one is never replaced. */
    async create(passcode: string): Promise<void> {
      if (typeof readVaultFile(storage) === 'object') throw new Error('A vault exists already.')
      const salt = randomBytes(16)
      const wrapping = await stretch(passcode, salt, rounds)
      const wrappedKey = await wrapNewVaultKey(wrapping)
      vaultKey = await unwrapVaultKey(wrapping, wrappedKey)
      clearAttempts(storage)
      save({ version: 1, kdf: { salt: base64.encode(salt), rounds }, wrappedKey, defaultDid: null, entries: [] })
    },

    /** @throws WrongPasscode, PasscodeDelay */
    async unlock(passcode: string): Promise<void> {
      vaultKey = await openKey(passcode, false)
      notify()
    },

    lock(): void {
      vaultKey = undefined
      notify()
    },

    /** @throws WrongPasscode, PasscodeDelay */
    async changePasscode(current: string, next: string): Promise<void> {
      const key = await openKey(current, true)
      const salt = randomBytes(16)
      const wrappedKey = await wrapVaultKey(await stretch(next, salt, rounds), key)
      save({ ...getFile(), kdf: { salt: base64.encode(salt), rounds }, wrappedKey })
    },

    /** Keeps the identity of `words` (12 valid ones). @throws VaultLocked, IdentityKnown. @returns its DID */
    async add(words: readonly string[]): Promise<string> {
      if (!vaultKey) throw new VaultLocked('Unlock first.')
      const mnemonic = words.join(' ')
      const { did, privateKey } = identityFromMnemonic(mnemonic)
      privateKey.fill(0)
      if (getFile().entries.some((entry) => entry.did === did)) throw new IdentityKnown(did)
      const entropy = new Uint8Array(mnemonicToEntropy(mnemonic, wordlist))
      const sealed = await seal(vaultKey, entropy, did)
      entropy.fill(0)
      const file = getFile()
      const entry: VaultEntry = { did, name: null, registered: false, createdAt: now(), sealed }
      save({ ...file, defaultDid: file.defaultDid ?? did, entries: [...file.entries, entry] })
      return did
    },

    /**
     * Takes over `other`, a vault from another origin, for a person who knows its passcode: as it is where there is
     * none here, otherwise its identities, each sealed with the key of this one.
     * @throws WrongPasscode, PasscodeDelay, VaultLocked, VaultDamaged
     */
    async takeOver(other: VaultFile, passcode: string): Promise<void> {
      const isFirst = typeof readVaultFile(storage) !== 'object'
      if (!isFirst && !vaultKey) throw new VaultLocked('Unlock first.')
      const otherKey = await openKey(passcode, false, other)
      if (isFirst || !vaultKey) {
        vaultKey = otherKey
        return save(other)
      }
      for (const entry of other.entries) {
        const entropy = await unseal(otherKey, entry.sealed, entry.did)
        const sealed = await seal(vaultKey, entropy, entry.did)
        entropy.fill(0)
        const { entries, ...file } = getFile()
        if (!entries.some(({ did }) => did === entry.did))
          save({ ...file, entries: [...entries, { ...entry, sealed }] })
      }
    },

    /** Forgets an identity for good; without its words it cannot come back. The last one takes the vault with it. */
    remove(did: string): void {
      const file = getFile()
      const entries = file.entries.filter((entry) => entry.did !== did)
      const [first] = entries
      if (first) save({ ...file, entries, defaultDid: file.defaultDid === did ? first.did : file.defaultDid })
      else this.erase()
    },

    /** Forgets everything, for a person who lost the passcode or whose vault is damaged. */
    erase(): void {
      vaultKey = undefined
      storage.removeItem(vaultStorageKey)
      clearAttempts(storage)
      notify()
    },

    chooseDefault: (did: string): void => save({ ...getFile(), defaultDid: did }),
    setName: (did: string, name: string | null): void => changeEntry(did, { name }),
    markRegistered: (did: string): void => changeEntry(did, { registered: true }),

    /** The 12 words, for a person who proves the passcode again. @throws WrongPasscode, PasscodeDelay, VaultDamaged */
    async revealWords(did: string, passcode: string): Promise<readonly string[]> {
      return (await wordsOf(did, await openKey(passcode, false))).split(' ')
    },

    /**
     * Signs exactly `payload` (plus nothing) as `did`; `header` adds to the signature's own.
     * @throws VaultLocked, VaultDamaged
     */
    async sign(did: string, payload: JwsPayload, header: Record<string, string> = {}): Promise<string> {
      if (!vaultKey) throw new VaultLocked('Unlock first.')
      const identity = identityFromMnemonic(await wordsOf(did, vaultKey))
      // Sealed bytes are bound to their DID, so this can only fail if the derivation itself changed.
      if (identity.did !== did) throw new VaultDamaged(`The stored key is not that of ${did}.`)
      const jws = await signJws(payload, identity, header)
      identity.privateKey.fill(0)
      return jws
    },

    kidOf: keyIdOfDid,
  }
}
