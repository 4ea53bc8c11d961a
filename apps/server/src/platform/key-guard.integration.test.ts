import { createTestDatabase } from '@atoll/testkit'
import { expect, it } from 'vitest'
import { createDatabase } from './db/index.ts'
import { requireSameKey } from './key-guard.ts'
import { OperatorError } from './operator-error.ts'

it('accepts the key of the first process, from any number of them at once, and no other', async () => {
  await using scratch = await createTestDatabase()
  const { pool, close } = createDatabase({ connectionString: scratch.url })
  const key = Buffer.alloc(32, 1)
  await Promise.all([1, 2, 3, 4].map(() => requireSameKey(pool, key)))
  await expect(requireSameKey(pool, Buffer.alloc(32, 2))).rejects.toThrow(OperatorError)
  await expect(requireSameKey(pool, Buffer.alloc(32, 2))).rejects.toThrow(/ATOLL_SECRET_KEY/)
  await requireSameKey(pool, key)
  await close()
})
