import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { requireSameKey } from '../../platform/keys/index.ts'
import { findKeyFile } from './own-key.ts'

const database = useDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'atoll-key-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

test('a key that a setting gives is not in the backup, though an older file with another key is there', async () => {
  const file = join(dataDir, 'secret.key')
  const write = (key: Buffer) => writeFileSync(file, `${key.toString('base64url')}\n`, { mode: 0o600 })
  const [own, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  expect(await findKeyFile(database.db, dataDir)).toBeUndefined()
  await requireSameKey(database.db, [own])
  write(other)
  expect(await findKeyFile(database.db, dataDir)).toBeUndefined()
  write(own)
  expect(await findKeyFile(database.db, dataDir)).toBe(file)
})
