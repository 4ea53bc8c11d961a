import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod, mkdir, rename, rmdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ObjectStore, runObjectStore, type StoreFault } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../platform/crypto.ts'
import { createS3Client, S3Error } from '../../platform/drivers/s3/s3-client.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createS3Driver } from './drivers/s3/s3-driver.ts'
import { findTrouble } from './store-trouble.ts'
import { testDriver } from './testing/driver-conformance.ts'
import { bucketOf } from './testing/running-vault.ts'
import { sha256 } from './testing/vault-client.ts'
import type { VaultDriver } from './vault-driver.ts'
import type { FileKey } from './vault-tables.ts'

const hourAgo = () => new Date(Date.now() - 3600_000)
let folder: string
let store: ObjectStore

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-driver-'))
  store = await runObjectStore()
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

testDriver('folder', () => ({
  driver: createFolderDriver(folder),
  age: (uploadId) => utimes(join(folder, 'uploads', uploadId), hourAgo(), hourAgo()),
  // Root may remove any file, but not a folder as one.
  async hold(uploadId) {
    const path = join(folder, 'uploads', uploadId)
    const aside = join(folder, uploadId)
    await rename(path, aside)
    await mkdir(path)
    await utimes(path, hourAgo(), hourAgo())
    return async () => {
      await rmdir(path)
      await rename(aside, path)
    }
  },
}))

testDriver('s3', () => ({
  driver: createS3Driver(bucketOf(store)),
  async age(uploadId) {
    const object = store.objects.get(`uploads/${uploadId}`)
    if (object) object.at = hourAgo()
  },
  async hold(uploadId) {
    store.faultOf = ({ method, key }) => (method === 'DELETE' && key.endsWith(uploadId) ? 'denied' : undefined)
    return async () => {
      store.faultOf = () => undefined
    }
  },
}))

test('an upload to S3 that is cut off is an error of its own, and writes nothing beside the log', async () => {
  const warned = vi.spyOn(console, 'warn')
  const upload = await createS3Client(bucketOf(store)).put('uploads/vu_cut', { bytes: 10, sha256: undefined })
  await upload.write(Buffer.from('12345'))
  upload.abort()
  await expect(upload.end()).rejects.toThrow(S3Error)
  expect(warned).not.toHaveBeenCalled()
  expect(store.objects.has('uploads/vu_cut')).toBe(false)
})

async function stored(driver: VaultDriver, bytes: Buffer): Promise<FileKey> {
  const key = { repositoryId: `vr_${newId('vr').slice(3)}`, type: 'data', name: sha256(bytes) } as const
  await driver.prepare(key.repositoryId)
  const incoming = await driver.receive(newId('vu'), { key, bytes: bytes.length })
  await incoming.write([bytes])
  await incoming.sync()
  await incoming.keep()
  await incoming.discard()
  return key
}

test('a file of a folder that may not be read is an error, and not one that is gone or damaged', async () => {
  const driver = createFolderDriver(folder)
  const key = await stored(driver, randomBytes(100))
  const place = join(folder, key.repositoryId, 'data', key.name.slice(0, 2))
  await chmod(join(place, key.name), 0)
  const { geteuid, seteuid } = process
  const user = geteuid?.()
  // Root reads what nobody may: another user sees what the operator of a wrong folder does.
  if (user === 0) {
    for (const [at, mode] of [
      [folder, 0o711],
      [join(folder, 'uploads'), 0o777],
      [join(folder, key.repositoryId), 0o711],
      [join(folder, key.repositoryId, 'data'), 0o711],
      [place, 0o711],
    ] as const)
      await chmod(at, mode)
    seteuid?.(65_534)
  }
  try {
    await expect(driver.open(key)).rejects.toMatchObject({ code: 'EACCES' })
  } finally {
    if (user === 0) seteuid?.(user)
  }
})

test('an object of S3 that alone cannot be read is told as that file; where all fail, and where a right lacks, it is an error', async () => {
  const driver = createS3Driver(bucketOf(store))
  const key = await stored(driver, randomBytes(100))
  const readAll = async () => {
    const file = await driver.open(key)
    let bytes = 0
    for await (const part of file?.read() ?? []) bytes += part.length
    return file && bytes
  }
  try {
    expect(await readAll()).toBe(100)
    store.faultOf = ({ method, key: at }) => (method === 'GET' && at.includes(key.name) ? 'error' : undefined)
    expect(await readAll()).toBe(0)
    store.faultOf = ({ key: at }) => (at.includes(key.name) ? 'error' : undefined)
    expect(await readAll()).toBeUndefined()
    store.faultOf = () => 'error'
    await expect(readAll()).rejects.toThrow(S3Error)
    const troubleOf = (fault: StoreFault) => {
      store.faultOf = ({ method }) => (method === 'GET' ? fault : undefined)
      return readAll().catch(findTrouble)
    }
    expect(await troubleOf('denied')).toContain('permission')
    expect(await troubleOf('archived')).toContain('archive')
  } finally {
    store.faultOf = () => undefined
  }
})
