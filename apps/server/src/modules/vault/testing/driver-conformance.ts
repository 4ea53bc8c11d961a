/** The contract of every driver, whatever stores its files: the vault relies on each of these. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/crypto.ts'
import type { VaultDriver } from '../vault-driver.ts'
import type { FileKey, FileType } from '../vault-tables.ts'
import { sha256 } from './vault-client.ts'

export interface DriverUnderTest {
  driver: VaultDriver
  /** Until what it gives is called, the store does not remove this upload. */
  hold(uploadId: string): Promise<() => Promise<void>>
  /** Makes an upload that is still there an hour old. */
  age(uploadId: string): Promise<void>
}

export function testDriver(name: string, underTest: () => DriverUnderTest): void {
  const fresh = () => `vr_${newId('vr').slice(3)}`
  const fileOf = (bytes: Buffer, type: FileType = 'data'): FileKey => ({
    repositoryId: fresh(),
    type,
    name: type === 'config' ? 'config' : sha256(bytes),
  })

  async function store(key: FileKey, bytes: Buffer): Promise<void> {
    const incoming = await underTest().driver.receive(newId('vu'), { key, bytes: bytes.length })
    // In parts, as a request has them.
    for (let at = 0; at < bytes.length; at += 65_536) await incoming.write([bytes.subarray(at, at + 65_536)])
    await incoming.sync()
    await incoming.keep()
    await incoming.discard()
  }

  async function read(key: FileKey, range?: { start: number; end: number }): Promise<Buffer | undefined> {
    const stored = await underTest().driver.open(key)
    if (!stored) return undefined
    const parts: Buffer[] = []
    for await (const part of stored.read(range)) parts.push(Buffer.from(part))
    await stored.close()
    return Buffer.concat(parts)
  }

  async function gather<T>(of: AsyncIterable<T>): Promise<T[]> {
    const all: T[] = []
    for await (const one of of) all.push(one)
    return all
  }

  describe(`driver ${name}`, () => {
    test.each(['config', 'keys', 'data'] as const)(
      'keeps a file of %s, reports it, reads it, removes it',
      async (type) => {
        const { driver } = underTest()
        for (const length of [0, 1, 70_000, 3_000_000]) {
          const bytes = randomBytes(length)
          const key = fileOf(bytes, type)
          await driver.prepare(key.repositoryId)
          expect([await driver.open(key), await gather(driver.listNames(key.repositoryId, type))]).toEqual([
            undefined,
            [],
          ])
          await store(key, bytes)
          const stored = await driver.open(key)
          expect(stored?.bytes).toBe(length)
          expect(Math.abs(Date.now() - Number(stored?.storedAt))).toBeLessThan(600_000)
          await stored?.close()
          expect((await read(key))?.equals(bytes)).toBe(true)
          if (length > 10) expect((await read(key, { start: 3, end: 9 }))?.equals(bytes.subarray(3, 10))).toBe(true)
          expect(await gather(driver.listNames(key.repositoryId, type))).toEqual([key.name])
          expect(await gather(driver.listRepositories())).toContain(key.repositoryId)
          await driver.remove(key)
          await driver.remove(key)
          expect([await driver.open(key), await gather(driver.listNames(key.repositoryId, type))]).toEqual([
            undefined,
            [],
          ])
        }
      },
    )

    test('shows nothing of an upload until it is kept, and nothing of one that is not', async () => {
      const { driver } = underTest()
      const bytes = randomBytes(200_000)
      const key = fileOf(bytes)
      for (const sent of [0, 100_000, 200_000]) {
        const incoming = await driver.receive(newId('vu'), { key, bytes: bytes.length })
        await incoming.write([bytes.subarray(0, sent)])
        expect(await driver.open(key)).toBeUndefined()
        if (sent === bytes.length) await incoming.sync()
        expect(await driver.open(key)).toBeUndefined()
        await incoming.discard()
        expect(await driver.open(key)).toBeUndefined()
      }
      expect(await gather(driver.listNames(key.repositoryId, 'data'))).toEqual([])
    })

    test('puts a file in the place of one that is there', async () => {
      const [first, second] = [randomBytes(5000), randomBytes(7000)]
      const key = fileOf(first, 'config')
      await store(key, first)
      await store(key, second)
      expect((await read(key))?.equals(second)).toBe(true)
    })

    test('keeps the file of a plan beside a repository, which is none of its files, and drops an empty repository', async () => {
      const { driver } = underTest()
      const bytes = randomBytes(10)
      const key = fileOf(bytes)
      const { repositoryId } = key
      expect(await driver.readPlanFile(repositoryId)).toBeUndefined()
      await driver.writePlanFile(repositoryId, 'one')
      await driver.writePlanFile(repositoryId, 'another')
      await driver.prepare(repositoryId)
      await store(key, bytes)
      expect(await driver.readPlanFile(repositoryId)).toBe('another')
      expect(await gather(driver.listNames(repositoryId, 'config'))).toEqual([])
      expect(await gather(driver.listNames(repositoryId, 'data'))).toEqual([key.name])
      await driver.dropRepository(repositoryId)
      expect(await read(key)).toEqual(bytes)
      await driver.writePlanFile(repositoryId, null)
      await driver.writePlanFile(repositoryId, null)
      expect(await driver.readPlanFile(repositoryId)).toBeUndefined()
      await driver.remove(key)
      await driver.dropRepository(repositoryId)
      await driver.dropRepository(repositoryId)
      expect(await gather(driver.listRepositories())).not.toContain(repositoryId)
    })

    test('lists thousands of files, and only what restic may have written', async () => {
      const { driver } = underTest()
      const repositoryId = fresh()
      const all = Array.from({ length: 1100 }, (_, at) => Buffer.from(`${at}`))
      for (let at = 0; at < all.length; at += 50)
        await Promise.all(
          all.slice(at, at + 50).map((bytes) => store({ repositoryId, type: 'data', name: sha256(bytes) }, bytes)),
        )
      expect((await gather(driver.listNames(repositoryId, 'data'))).sort()).toEqual(all.map(sha256).sort())
      expect(await gather(driver.listNames(repositoryId, 'index'))).toEqual([])
    })

    test('removes old uploads that nobody knows, no young one and none that is known; it names one that it cannot remove', async () => {
      const { driver, age, hold } = underTest()
      const [young, known] = [newId('vu'), newId('vu')]
      const unknown = Array.from({ length: 3 }, () => newId('vu')).sort()
      for (const uploadId of [young, known, ...unknown]) {
        const bytes = randomBytes(10)
        const incoming = await driver.receive(uploadId, { key: fileOf(bytes), bytes: bytes.length })
        await incoming.write([bytes])
        await incoming.sync()
        if (uploadId !== young) await age(uploadId)
      }
      const isKnown = async (ids: readonly string[]) => new Set(ids.filter((id) => id === known))
      const failed: [string, unknown][] = []
      const removeAll = () => driver.removeUploads(isKnown, (...failure) => void failed.push(failure))
      const [first = ''] = unknown
      const release = await hold(first)
      expect([await removeAll(), failed]).toEqual([2, [[first, expect.any(Error)]]])
      await release()
      expect([await removeAll(), await removeAll(), failed.length]).toEqual([1, 0, 1])
    })
  })
}
