import { X509Certificate } from 'node:crypto'

interface Value {
  tag: number
  content: Buffer
}

/** The values that stand one after another in DER (X.690); throws where the bytes end too early. */
function readValues(bytes: Buffer): Value[] {
  const values: Value[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at)
    const first = bytes.readUInt8(at + 1)
    const sizeBytes = first < 0x80 ? 0 : first & 0x7f
    const size = sizeBytes === 0 ? first : bytes.readUIntBE(at + 2, sizeBytes)
    const begin = at + 2 + sizeBytes
    if (begin + size > bytes.length) throw new RangeError('a DER value is cut off')
    values.push({ tag, content: bytes.subarray(begin, begin + size) })
    at = begin + size
  }
  return values
}

const integer = 0x02
const octetString = 0x04
/** `extensions [3]` of a certificate (RFC 5280, 4.1). */
const extensionsTag = 0xa3
/** `keyIdentifier [0]` of an authority key identifier (RFC 5280, 4.2.1.1). */
const keyIdentifierTag = 0x80
/** 2.5.29.35 */
const authorityKeyIdentifier = Buffer.from([0x55, 0x1d, 0x23])

/**
 * By which an authority knows a certificate that it issued (RFC 9773, 4.1): its authority key identifier and its serial
 * number as they are encoded. Undefined: it names no authority key. `pem`: the chain, its leaf first.
 */
export function certificateId(pem: string): string | undefined {
  const [certificate] = readValues(new X509Certificate(pem).raw)
  const [signed] = readValues(certificate?.content ?? Buffer.alloc(0))
  const parts = readValues(signed?.content ?? Buffer.alloc(0))
  const serial = parts.find(({ tag }) => tag === integer)
  const [extensions] = readValues(parts.find(({ tag }) => tag === extensionsTag)?.content ?? Buffer.alloc(0))
  for (const extension of readValues(extensions?.content ?? Buffer.alloc(0))) {
    const fields = readValues(extension.content)
    if (!fields[0]?.content.equals(authorityKeyIdentifier)) continue
    const [key] = readValues(fields.find(({ tag }) => tag === octetString)?.content ?? Buffer.alloc(0))
    const id = readValues(key?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === keyIdentifierTag)
    if (id && serial) return `${id.content.toString('base64url')}.${serial.content.toString('base64url')}`
  }
  return undefined
}
