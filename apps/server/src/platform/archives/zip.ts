/**
 * ZIP files (PKWARE's APPNOTE 6.3, without its extensions): deflated, names in UTF-8, up to 65 535 files under 4 GiB.
 */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZippedFile {
  /** With `/` between folders, never at its start. */
  name: string
  bytes: Uint8Array
}

/** Bit 11: the name is UTF-8. */
const utf8 = 0x0800
const deflated = 8
/** Version 2.0: the first that inflates. */
const version = 20

/** The bytes of a ZIP with these files, each of the same moment. */
export function zipOf(files: readonly ZippedFile[], at: Date): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const body = deflateRawSync(bytes)
    const path = Buffer.from(name, 'utf8')
    const common = Buffer.alloc(26)
    common.writeUInt16LE(version, 0)
    common.writeUInt16LE(utf8, 2)
    common.writeUInt16LE(deflated, 4)
    common.writeUInt16LE(timeOf(at), 6)
    common.writeUInt16LE(dayOf(at), 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(body.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), common, path, body)
    const entry = Buffer.alloc(14)
    // The owner alone reads it, where it is unpacked.
    entry.writeUInt32LE((0o100600 << 16) >>> 0, 6)
    entry.writeUInt32LE(offset, 10)
    const made = Buffer.alloc(2)
    made.writeUInt16LE(0x0300 | version, 0)
    directory.push(Buffer.from('PK\u0001\u0002', 'latin1'), made, common, entry, path)
    offset += 4 + common.length + path.length + body.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(index.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, index, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}

/** MS-DOS's, in UTC: two seconds a step, since 1980. */
function timeOf(at: Date): number {
  return (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
}
function dayOf(at: Date): number {
  return ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
}
