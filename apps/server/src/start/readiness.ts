/** By its roles, the conditions for sending a process work, and those that its operator should only know of. */
import type { ReadinessCheck } from '../http/operations/operations.ts'
import type { Role } from '../platform/settings/platform-settings.ts'

type Checks = Record<string, ReadinessCheck>

/**
 * `onDatabase`: checks that fail without the database. An edge or a name server goes on with what it has in memory. A
 * vault beside it is no reason to send its visitors elsewhere: without the database no other vault answers either, and
 * machines try again.
 */
export function readinessOf(
  roles: readonly Role[],
  onDatabase: Checks & { database: ReadinessCheck },
): { checks: Checks; details: Checks } {
  const isFrontOrVault = roles.every((role) => role === 'edge' || role === 'dns' || role === 'vault')
  const servesFromMemory = isFrontOrVault && roles.some((role) => role !== 'vault')
  return servesFromMemory
    ? { checks: {}, details: { ...onDatabase, database: orAway(onDatabase.database) } }
    : { checks: onDatabase, details: {} }
}

/** `away` with what is wrong, where a check of the database fails. */
function orAway(database: ReadinessCheck): ReadinessCheck {
  return async () => {
    try {
      return await database()
    } catch (error) {
      return `away: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}
