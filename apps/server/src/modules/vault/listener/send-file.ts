import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StoredFile, VaultDriver } from '../vault-driver.ts'
import type { FileKey } from '../vault-tables.ts'

/** First and last byte that are wanted. */
interface ByteRange {
  start: number
  end: number
}

/**
 * Answers a HEAD or a GET of a file that has a row: 200, 206 for one range, 416. `expected`: bytes by the row. False,
 * and nothing is answered: it is not there. `content`: its bytes by the row, null where that holds none; they are sent
 * where those in the store are others. `onSent` receives the bytes; `onDamage` that it is not as the row says.
 * A range that a file was cut short of is refused, too: restic would take fewer bytes for a connection that broke off,
 * and ask again for minutes. `isBad`: the file is known as damaged, so it is read before its bytes are promised.
 */
export async function sendFile(
  { driver, onSent, onDamage }: { driver: VaultDriver; onSent(bytes: number): void; onDamage(): void },
  req: IncomingMessage,
  res: ServerResponse,
  { key, expected, content, isBad }: { key: FileKey; expected: number; content: Buffer | null; isBad: boolean },
): Promise<boolean> {
  const stored = await driver.open(key)
  const file = content && !(await holds(stored, content)) ? await inMemory(stored, content) : stored
  if (file !== stored || file?.bytes !== expected) onDamage()
  if (!file) return false
  try {
    const { bytes } = file
    const range = readRange(req.headers.range, Math.max(bytes, expected))
    const isThere = range !== 'none' && !(range && range.end >= bytes)
    if (!isThere || (isBad && (await countBytes(file.read(range))) < lengthOf(range, bytes))) {
      res.writeHead(416, { 'content-range': `bytes */${bytes}`, 'content-length': 0 }).end()
      return true
    }
    const length = lengthOf(range, bytes)
    const parts = req.method === 'HEAD' || length === 0 ? undefined : await begin(file.read(range))
    res.writeHead(range ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      'content-length': length,
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${bytes}` }),
    })
    if (!parts) {
      res.end()
      return true
    }
    let sent = 0
    for await (const part of parts) {
      await send(res, part)
      sent += part.length
    }
    if (sent < length) {
      onDamage()
      throw new Error('a stored file was cut while it was sent')
    }
    res.end()
    onSent(length)
    return true
  } finally {
    await file.close()
  }
}

function lengthOf(range: ByteRange | undefined, bytes: number): number {
  return range ? range.end - range.start + 1 : bytes
}

/** Has read the first part: a store that gives none is answered with its trouble, before any bytes are promised. */
async function begin(parts: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const reader = parts[Symbol.asyncIterator]()
  const first = await reader.next()
  async function* all() {
    try {
      for (let next = first; !next.done; next = await reader.next()) yield next.value
    } finally {
      await reader.return?.()
    }
  }
  return all()
}

async function countBytes(parts: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const part of parts) bytes += part.length
  return bytes
}

async function holds(stored: StoredFile | undefined, content: Buffer): Promise<boolean> {
  if (stored?.bytes !== content.length) return false
  const parts: Buffer[] = []
  for await (const part of stored.read()) parts.push(Buffer.from(part))
  return Buffer.concat(parts).equals(content)
}

/** `content` instead of `stored`, which is closed. */
async function inMemory(stored: StoredFile | undefined, content: Buffer): Promise<StoredFile> {
  await stored?.close()
  return {
    bytes: content.length,
    storedAt: stored?.storedAt ?? new Date(),
    async *read({ start, end } = { start: 0, end: content.length - 1 }) {
      yield content.subarray(start, end + 1)
    },
    close: async () => undefined,
  }
}

/** Resolves when the part is with the system: its place in memory is used again. Rejects when the other side went. */
async function send(res: ServerResponse, part: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onClose = () => reject(Object.assign(new Error('the other side went away'), { code: 'EPIPE' }))
    if (res.destroyed) return onClose()
    res.once('close', onClose)
    res.write(part, (error) => {
      res.off('close', onClose)
      if (error) reject(error)
      else resolve()
    })
  })
}

/**
 * Reads the header `range` for a file of `bytes` bytes (RFC 9110, 14.1.2). Undefined: all of it is wanted, as when the
 * header is none that we know or asks for several ranges; 'none': nothing of what is wanted is there.
 */
function readRange(header: string | undefined, bytes: number): ByteRange | 'none' | undefined {
  const found = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '')
  if (!found) return undefined
  const [, first = '', last = ''] = found
  // Of nothing no part can be wanted: all of it is the answer, as restic's own server gives it.
  if (bytes === 0 || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'none' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= bytes ? 'none' : { start, end }
}
