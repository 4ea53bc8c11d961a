import { mkdtempSync, rmSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ObjectStore, runObjectStore } from '@atoll/testkit'
import { afterAll, beforeAll } from 'vitest'
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
