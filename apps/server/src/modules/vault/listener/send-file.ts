import type { IncomingMessage, ServerResponse } from 'node:http'
import type { VaultDriver } from '../drivers/vault-driver.ts'
import type { FileKey } from '../records/vault-tables.ts'
import { readRange } from './read-range.ts'

/**
 * Answers a HEAD or a GET of a file that has a row: 200, 206 for one range, 416. `expected`: bytes by the row. False,
 * and nothing is answered: it is not there. `onSent` receives the bytes; `onDamage` that its length is not the row's.
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
    let sent = 0
    for await (const part of file.read(range)) {
      await send(res, part)
      sent += part.length
    }
    if (sent < length) throw new Error('a stored file was cut while it was sent')
    res.end()
    onSent(length)
    return true
  } finally {
    await file.close()
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
