/** did:key of an Ed25519 key: `did:key:z` + base58btc(0xed 0x01 ‖ 32 bytes) (did:key method, "Ed25519"). */
import { base58 } from '@scure/base'

const prefix = 'did:key:z'
/** Varint of the multicodec ed25519-pub, 0xed. */
const multicodec = [0xed, 0x01] as const
const keyLength = 32

/** The DID of a raw 32-byte Ed25519 public key. Throws a RangeError for another length: a programming error. */
export function didOfPublicKey(publicKey: Uint8Array): string {
  if (publicKey.length !== keyLength)
    throw new RangeError(`an Ed25519 public key has 32 bytes, not ${publicKey.length}`)
  return prefix + base58.encode(Uint8Array.of(...multicodec, ...publicKey))
}

/** The raw public key inside `did`; undefined when it is not a did:key of an Ed25519 key, a DID URL included. */
export function publicKeyOfDid(did: string): Uint8Array | undefined {
  // The longest Ed25519 did:key has 56 characters: base58 costs quadratic time, so the length goes first.
  if (!did.startsWith(prefix) || did.length > 60) return undefined
  let bytes: Uint8Array
  try {
    bytes = base58.decode(did.slice(prefix.length))
  } catch {
    return undefined // a character outside base58
  }
  const isEd25519 = bytes.length === multicodec.length + keyLength && multicodec.every((byte, at) => bytes[at] === byte)
  return isEd25519 ? bytes.slice(multicodec.length) : undefined
}

/** Whether `text` is a did:key of an Ed25519 key, without a fragment. */
export function isDid(text: string): boolean {
  return publicKeyOfDid(text) !== undefined
}

/** The verification method of a did:key: `did:key:z…#z…`, what `kid` and `iss` carry. */
export function keyIdOfDid(did: string): string {
  return `${did}#${did.slice('did:key:'.length)}`
}

/** The DID in a key id or a bare DID; undefined for another method, or a fragment that is not this DID's own key. */
export function didOfKeyId(keyId: string): string | undefined {
  const [did = '', ...fragments] = keyId.split('#')
  if (!isDid(did)) return undefined
  return fragments.length === 0 || keyId === keyIdOfDid(did) ? did : undefined
}
