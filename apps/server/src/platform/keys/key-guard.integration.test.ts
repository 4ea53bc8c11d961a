import { createTestDatabase } from '@atoll/testkit'
import { expect, it } from 'vitest'
import { createDatabase } from '../db/index.ts'
import { OperatorError } from '../operator-error.ts'
import { requireSameKey } from './key-guard.ts'

it('accepts the key of the first process, from any number of them at once, and no other', async () => {
  await using scratch = await createTestDatabase()
  const { db, close } = createDatabase({ connectionString: scratch.url })
  const key = Buffer.alloc(32, 1)
  await Promise.all([1, 2, 3, 4].map(() => requireSameKey(db, [key])))
  await expect(requireSameKey(db, [Buffer.alloc(32, 2)])).rejects.toThrow(OperatorError)
  await expect(requireSameKey(db, [Buffer.alloc(32, 2)])).rejects.toThrow(/ATOLL_SECRET_KEY/)
  await requireSameKey(db, [key])
  await close()
})
