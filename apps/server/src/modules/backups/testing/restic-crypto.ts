/**
 * restic's own encryption (its design document: AES-256-CTR, then Poly1305-AES), so that a test writes the files of a
 * repository itself: hundreds of snapshots of any time in a moment, and a key that is not slow to open.
 */
import { createCipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** As `restic cat masterkey` prints it. */
export interface MasterKey {
  mac: { k: string; r: string }
  encrypt: string
}

interface Keys {
  encrypt: Buffer
  k: Buffer
  r: Buffer
}

/** The file is named by the hash of what is in it. */
export function writeNamed(folder: string, bytes: Buffer): string {
  const name = createHash('sha256').update(bytes).digest('hex')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), bytes)
  return name
}

export function encryptJson(master: MasterKey, value: unknown): Buffer {
  const keys = { encrypt: fromBase64(master.encrypt), k: fromBase64(master.mac.k), r: fromBase64(master.mac.r) }
  return seal(keys, Buffer.from(JSON.stringify(value)))
}

/** Takes the place of all keys of a repository in a folder: `password` opens it with the least work that scrypt has. */
export function writeQuickKey(repository: string, master: MasterKey, password: string): void {
  const cost = { N: 2, r: 8, p: 1 }
  const salt = randomBytes(64)
  const derived = scryptSync(password, salt, 64, cost)
  const keys = { encrypt: derived.subarray(0, 32), k: derived.subarray(32, 48), r: derived.subarray(48, 64) }
  const key = {
    created: new Date().toISOString(),
    username: 'test',
    hostname: 'test',
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    data: seal(keys, Buffer.from(JSON.stringify(master))).toString('base64'),
  }
  const folder = join(repository, 'keys')
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true })
  writeNamed(folder, Buffer.from(JSON.stringify(key)))
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64')

/** Nonce, what is sealed, and its code. */
function seal({ encrypt, k, r }: Keys, plain: Buffer): Buffer {
  const nonce = randomBytes(16)
  const cipher = createCipheriv('aes-256-ctr', encrypt, nonce)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  const pad = createCipheriv('aes-128-ecb', k, null).update(nonce)
  return Buffer.concat([nonce, sealed, poly1305(sealed, r, pad)])
}

const prime = 2n ** 130n - 5n
/** Bits of `r` that Poly1305 leaves. */
const clamp = 0x0ffffffc0ffffffc0ffffffc0fffffffn

function poly1305(message: Buffer, r: Buffer, pad: Buffer): Buffer {
  const factor = readLittle(r) & clamp
  let sum = 0n
  for (let at = 0; at < message.length; at += 16) {
    const block = message.subarray(at, at + 16)
    sum = ((sum + readLittle(block) + (1n << BigInt(8 * block.length))) * factor) % prime
  }
  const code = (sum + readLittle(pad)) & (2n ** 128n - 1n)
  return Buffer.from(code.toString(16).padStart(32, '0'), 'hex').reverse()
}

function readLittle(bytes: Buffer): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
}
