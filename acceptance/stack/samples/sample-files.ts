/** Files of a snapshot, as a machine answers the console: in boxes for the key of the question (RFC 7518, ECDH-ES). */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type BackupKey, type LookEntry, type LookPage, LookQuery } from '@atoll/contract/everything'

const machine = generateKeyPairSync('ec', { namedCurve: 'P-256' })
/** Of the sample's machine, which this file opens boxes for. */
export const sampleMachineKey = jwkOf(machine.publicKey)

const day = 24 * 3600_000
const folder = (name: string, files: number, size: number): LookEntry => ({
  name,
  kind: 'folder',
  files,
  size,
  modifiedAt: Date.now() - 2 * day,
})
const file = (name: string, size: number): LookEntry => ({
  name,
  kind: 'file',
  files: null,
  size,
  modifiedAt: Date.now() - 3 * day,
})
const uni = [
  folder('Thesis', 214, 1_920_000_000),
  folder('Lectures', 1306, 6_210_000_000),
  { ...folder('Scans', 88, 412_000_000), files: null, size: null },
  file('thesis-final.pdf', 18_000_000),
  file('references.bib', 212_000),
  file(`${'A long name '.repeat(18)}.ods`, 38_000),
  file('潮汐\u{10ffe9}.txt', 9),
]
const root = [folder('Uni', 1608, 8_560_000_000), folder('Photos', 36_800, 130_000_000_000), file('notes.txt', 16)]

const looks = new Map<string, string>()

/** The id under which the answer to `box` waits; undefined: this machine's key does not open it. */
export function askSample(box: string): string | undefined {
  const query = LookQuery.safeParse(JSON.parse(openBox(box))).data
  if (!query) return undefined
  const { path, find, offset, key } = query
  const all =
    find === ''
      ? path === '/'
        ? root
        : uni
      : uni.filter(({ name }) => name.includes(find)).map((each) => ({ ...each, folder: '/Uni' }))
  const page: LookPage = { path, find, offset, entries: all.slice(offset), total: all.length, truncated: false }
  const id = `at_look${String(looks.size).padStart(8, '0')}`
  looks.set(id, sealFor(key, gzipSync(JSON.stringify(page))))
  return id
}

export function answerSample(lookId: string | null): string | undefined {
  return looks.get(lookId ?? '')
}

function jwkOf(key: KeyObject): BackupKey {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return { kty: 'EC', crv: 'P-256', x, y }
}

/** Concat KDF of one round, for direct agreement. */
function agree(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  const enc = Buffer.from('A256GCM')
  const number = (value: number) => Buffer.from([0, 0, value >> 8, value & 255])
  const info = [
    number(1),
    diffieHellman({ privateKey, publicKey }),
    number(enc.length),
    enc,
    number(0),
    number(0),
    number(256),
  ]
  return createHash('sha256').update(Buffer.concat(info)).digest()
}

function openBox(box: string): string {
  const [header = '', , iv = '', text = '', tag = ''] = box.split('.')
  const { epk } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const key = agree(machine.privateKey, createPublicKey({ key: epk, format: 'jwk' }))
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
  decipher.setAAD(Buffer.from(header)).setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString()
}

function sealFor(to: BackupKey, content: Buffer): string {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const header = Buffer.from(JSON.stringify({ alg: 'ECDH-ES', enc: 'A256GCM', epk: jwkOf(own.publicKey) })).toString(
    'base64url',
  )
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', agree(own.privateKey, createPublicKey({ key: to, format: 'jwk' })), iv)
  cipher.setAAD(Buffer.from(header))
  const text = Buffer.concat([cipher.update(content), cipher.final()])
  return [header, '', ...[iv, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.')
}
