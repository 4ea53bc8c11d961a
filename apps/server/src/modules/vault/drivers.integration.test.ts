import { mkdtempSync, rmSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ObjectStore, runObjectStore } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createS3Client, S3Error } from '../../platform/drivers/s3/s3-client.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createS3Driver } from './drivers/s3/s3-driver.ts'
import { testDriver } from './testing/driver-conformance.ts'
import { bucketOf } from './testing/running-vault.ts'

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
}))

testDriver('s3', () => ({
  driver: createS3Driver(bucketOf(store)),
  async age(uploadId) {
    const object = store.objects.get(`uploads/${uploadId}`)
    if (object) object.at = hourAgo()
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
