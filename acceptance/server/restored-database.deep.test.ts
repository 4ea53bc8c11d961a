/** A database brought back without a word to the server, on the world as it went on. */
import { createTestDatabase, type TestDatabase, whyNoDnsPrograms } from '@atoll/testkit'
import { afterAll, describe } from 'vitest'
import { expectNothingIrrevocable } from '../stack/restored-proof.ts'

const missing = whyNoDnsPrograms()
describe.skipIf(missing)(`a copy of the database${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const made: TestDatabase[] = []
  const keep = (database: TestDatabase) => {
    made.push(database)
    return database.url
  }
  afterAll(() => Promise.all(made.map((database) => database.drop())))

  expectNothingIrrevocable({
    make: async () => keep(await createTestDatabase({ empty: true })),
    async dump(url) {
      const copy = await createTestDatabase({ copyOf: url })
      return async () => keep(copy)
    },
  })
})
