import { expect, test } from 'vitest'
import { createSealer } from '../../../../platform/crypto.ts'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { ensureStatementKeys, keyOf, retireStatementKey } from './statement-key-store.ts'

const database = useDatabase()
const sealer = createSealer(Buffer.alloc(32, 7))

test('the key of statements from before keys were kept can be retired before another is signed', async () => {
  const derived = keyOf(sealer.derive('statement key')).publicKey
  const deps = { db: database.db, sealer, now: new Date() }
  expect(await retireStatementKey(deps)).toBe(derived)
  const [present, ...past] = await ensureStatementKeys(deps)
  expect(present).not.toBe(derived)
  expect(past).toEqual([derived])
})
