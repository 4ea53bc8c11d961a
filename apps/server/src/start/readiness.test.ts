import { expect, test } from 'vitest'
import { findUnready } from '../http/operations/operations.ts'
import { type Role, roles } from '../platform/settings/platform-settings.ts'
import { readinessOf } from './readiness.ts'

/** Every choice of roles but none. */
const choices = Array.from({ length: 2 ** roles.length - 1 }, (_, at) =>
  roles.filter((_, index) => ((at + 1) >> index) & 1),
)
const isAway = async () => {
  throw new Error('terminated')
}

test('without the database edges and name servers stay ready, also with a vault beside them, and nobody else does', async () => {
  const ready: Role[][] = []
  for (const chosen of choices) {
    const { checks, details } = readinessOf(chosen, { database: isAway, migrations: isAway })
    const problem = await findUnready(checks)
    expect(problem ?? 'ready').toMatch(/^(ready$|database: terminated; )/)
    if (problem !== undefined) continue
    ready.push(chosen)
    expect(await details.database?.()).toBe('away: terminated')
  }
  const among = (...names: Role[]) => choices.filter((chosen) => chosen.every((role) => names.includes(role)))
  expect(ready).toEqual(among('edge', 'dns', 'vault').filter((chosen) => chosen.join() !== 'vault'))
})

test('with the database nothing is said to be away', async () => {
  const { details } = readinessOf(['edge'], { database: async () => undefined })
  expect(await details.database?.()).toBeUndefined()
})
