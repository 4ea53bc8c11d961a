import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { VaultDriver } from '../drivers/vault-driver.ts'
import type { FileKey } from '../records/file-store.ts'
import { readRange } from './read-range.ts'

/**
 * Answers a HEAD or a GET of a file that has a row: 200, 206 for one range, 416. `expected`: bytes by the row. False,
 * and nothing is answered: it is not there. `onSent` hears the bytes; `onDamage` that its length is not the row's.
 */
export async function sendFile(
  { driver, onSent, onDamage }: { driver: VaultDriver; onSent(bytes: number): void; onDamage(): void },
  req: IncomingMessage,
  res: ServerResponse,
  { key, expected }: { key: FileKey; expected: number },
): Promise<boolean> {
  const file = await driver.open(key)
  if (file?.bytes !== expected) onDamage()
  if (!file) return false
  try {
    const { bytes } = file
    const range = readRange(req.headers.range, bytes)
    if (range === 'none') {
      res.writeHead(416, { 'content-range': `bytes */${bytes}`, 'content-length': 0 }).end()
      return true
    }
    const length = range ? range.end - range.start + 1 : bytes
    res.writeHead(range ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      'content-length': length,
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${bytes}` }),
    })
    if (req.method === 'HEAD' || length === 0) {
      res.end()
      return true
    }
    await pipeline(file.read(range), res)
    onSent(length)
    return true
  } finally {
    await file.close()
  }
}
