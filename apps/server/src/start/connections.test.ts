import { expect, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { queueConnections } from '../platform/jobs/worker.ts'
import { roles } from '../platform/settings/platform-settings.ts'

/** PostgreSQL's default, less the three that it keeps for its superuser. */
const accepted = 100 - 3
/** A command of the operator, and a copy of the deployment's own database. */
const besides = 3 + 1

test('one process of each role together take no more connections than PostgreSQL accepts by default', () => {
  const taken = roles.map((role) => {
    const { databasePool } = loadConfig({ ATOLL_ROLES: role, ATOLL_CONTROL_URL: 'http://127.0.0.1:4800' }, '/')
    // Each hears of changes on one connection.
    return databasePool + 1 + (role === 'worker' ? queueConnections : 0)
  })
  expect(taken).toEqual([21, 35, 11, 11, 11])
  expect(taken.reduce((sum, count) => sum + count, 0) + besides).toBeLessThanOrEqual(accepted)
})

test('a process of all roles takes what docs/operator/production.md says', () => {
  expect(loadConfig({}, '/').databasePool + 1 + queueConnections).toBe(35)
})
