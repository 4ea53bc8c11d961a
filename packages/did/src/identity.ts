/** From twelve words, or a stored private key, to something that can sign. */
import { mnemonicToSeedSync } from '@scure/bip39'
import { HDKey } from 'micro-key-producer/slip10.js'
import { didOfPublicKey, keyIdOfDid } from './did-key.ts'
import { isMnemonic, normaliseMnemonic } from './mnemonic.ts'

export interface Identity {
  /** `did:key:z6Mk…` */
  readonly did: string
  /** `did#fragment`, the key id put in every signature. */
  readonly kid: string
  /** Raw 32 bytes. */
  readonly publicKey: Uint8Array
  /** Raw 32-byte seed of the Ed25519 key; never leaves the device, never logged. */
  readonly privateKey: Uint8Array
}

/**
 * The identity LarePass makes of the same words: BIP-39 seed with an empty passphrase, SLIP-0010 ed25519 master key,
 * path `m`. Throws a TypeError when `words` is not a mnemonic: ask `findMnemonicFault` first.
 */
export function identityFromMnemonic(words: string): Identity {
  if (!isMnemonic(words)) throw new TypeError('not a mnemonic of 12 words')
  return identityOf(HDKey.fromMasterSeed(mnemonicToSeedSync(normaliseMnemonic(words))))
}

/** The identity of a raw 32-byte Ed25519 private key, as `Identity.privateKey` holds it. */
export function identityFromPrivateKey(privateKey: Uint8Array): Identity {
  // The chain code only matters for children, and none is ever derived.
  return identityOf(new HDKey({ privateKey, chainCode: new Uint8Array(32) }))
}

function identityOf(key: HDKey): Identity {
  const publicKey = key.publicKeyRaw
  const did = didOfPublicKey(publicKey)
  return { did, kid: keyIdOfDid(did), publicKey, privateKey: key.privateKey }
}
