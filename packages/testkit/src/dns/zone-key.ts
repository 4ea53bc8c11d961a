/** Signs records of a zone (RFC 4034) with an Ed25519 key (RFC 8080), also so that the signatures have run out. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

export interface ZoneKey {
  /** The zone's trust anchor for a resolver, as a DS record. */
  anchor: string
  /**
   * Lines of the zone file: its key, and these texts by their names below the zone, with signatures of these times.
   * That of the key holds for a day.
   */
  sign(texts: Record<string, string>, times: { from: Date; until: Date }): string[]
}

const [ed25519, sha256] = [15, 2]
/** Signs the zone and its keys: there is no other. */
const flags = 257
const types = { TXT: 16, DNSKEY: 48 } as const
const ttl = 60
const dayMs = 24 * 60 * 60_000

export function createZoneKey(zone: string): ZoneKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const own = Buffer.concat([numbers([flags, 2], [3, 1], [ed25519, 1]), bytes])
  const tag = keyTagOf(own)

  function signSet(name: string, type: keyof typeof types, data: Buffer, times: { from: Date; until: Date }): string {
    const labels = name.split('.').length
    const [until, from] = [secondsOf(times.until), secondsOf(times.from)]
    const head = Buffer.concat([
      numbers([types[type], 2], [ed25519, 1], [labels, 1], [ttl, 4], [until, 4], [from, 4], [tag, 2]),
      nameBytes(zone),
    ])
    const record = Buffer.concat([nameBytes(name), numbers([types[type], 2], [1, 2], [ttl, 4], [data.length, 2]), data])
    const signature = sign(null, Buffer.concat([head, record]), privateKey).toString('base64')
    const facts = [digitsOf(times.until), digitsOf(times.from), tag].join(' ')
    return `${name}. ${ttl} RRSIG ${type} ${ed25519} ${labels} ${ttl} ${facts} ${zone}. ${signature}`
  }

  return {
    anchor: `${zone}. DS ${tag} ${ed25519} ${sha256} ${createHash('sha256').update(nameBytes(zone)).update(own).digest('hex')}`,
    sign: (texts, times) => [
      `@ ${ttl} DNSKEY ${flags} 3 ${ed25519} ${bytes.toString('base64')}`,
      signSet(zone, 'DNSKEY', own, { from: times.from, until: new Date(Date.now() + dayMs) }),
      ...Object.entries(texts).flatMap(([label, text]) => {
        const name = `${label}.${zone}`
        return [
          `${name}. ${ttl} TXT "${text}"`,
          signSet(name, 'TXT', Buffer.concat([numbers([text.length, 1]), Buffer.from(text)]), times),
        ]
      }),
    ],
  }
}

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000)
/** As zone files have it: `20261123140509`. */
const digitsOf = (time: Date) => time.toISOString().slice(0, 19).replaceAll(/\D/g, '')

/** Each with its length in bytes, the high one first. */
function numbers(...parts: [value: number, length: number][]): Buffer {
  return Buffer.concat(
    parts.map(([value, length]) => {
      const bytes = Buffer.alloc(length)
      bytes.writeUIntBE(value, 0, length)
      return bytes
    }),
  )
}

function nameBytes(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').flatMap((label) => [numbers([label.length, 1]), Buffer.from(label)]),
    Buffer.alloc(1),
  ])
}

/** RFC 4034, appendix B. */
function keyTagOf(key: Buffer): number {
  const sum = key.reduce((total, byte, index) => total + (index % 2 === 0 ? byte << 8 : byte), 0)
  return (sum + (sum >> 16)) & 0xffff
}
