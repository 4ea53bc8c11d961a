import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listenAt } from '../../../platform/listening.ts'
import type { StoredFile, VaultDriver } from '../vault-driver.ts'
import { sendFile } from './send-file.ts'

/** A file of ten bytes whose second half cannot be read. */
const half: StoredFile = {
  bytes: 10,
  storedAt: new Date(),
  async *read({ start, end } = { start: 0, end: 9 }) {
    if (start < 5) yield Buffer.alloc(Math.min(end, 4) - start + 1)
  },
  close: async () => undefined,
}
const key = { repositoryId: 'vr_a', type: 'data', name: 'a' } as const

test('a file that cannot be read to its end is cut off and read again by us; once known as damaged it is refused', async () => {
  let isBad = false
  let damage = 0
  const driver = { open: async () => half } as Partial<VaultDriver> as VaultDriver // nothing else is asked
  const onDamage = () => {
    damage += 1
  }
  const sender = { driver, onSent: () => undefined, onDamage }
  const answer = (req: IncomingMessage, res: ServerResponse) =>
    sendFile(sender, req, res, { key, expected: 10, content: null, isBad }).catch(() => res.destroy())
  const server = createServer(answer)
  const port = await listenAt(server, 0, '127.0.0.1')
  onTestFinished(() => void server.close())
  const ask = (range: string) => fetch(`http://127.0.0.1:${port}/`, { headers: { range: `bytes=${range}` } })

  await expect(ask('0-9').then((whole) => whole.arrayBuffer())).rejects.toThrow()
  expect(damage).toBe(1)
  isBad = true
  expect((await ask('0-9')).status).toBe(416)
  const there = await ask('0-4')
  expect([there.status, (await there.arrayBuffer()).byteLength]).toEqual([206, 5])
})
