/**
 * Hash chains as the database makes them (`audit_field` of migration 0016), computed apart from it: who can change its
 * rows can change its functions too.
 */
import { type RawBuilder, sql } from 'kysely'
import { sha256Hex } from '../crypto.ts'

/** The hash before the first link of a chain that is not one account's. */
export const firstHash = '0'.repeat(64)

/**
 * A field as its length in bytes, a colon, the text, a comma; null as a minus: no two lists of fields read the same.
 */
function field(value: string | null): string {
  return value === null ? '-,' : `${Buffer.byteLength(value)}:${value},`
}

/** SHA-256, hex, over `fields` with their lengths. */
export function chainHash(fields: readonly (string | null)[]): string {
  return sha256Hex(fields.map(field).join(''))
}

/** A `timestamptz` column as the text that is hashed: UTC to the microsecond, which a JavaScript date would lose. */
export function exactUtc(column: string): RawBuilder<string> {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** A date as `exactUtc` reads it back. */
export function utcText(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}

/**
 * A `bigint` column as a number, what is beyond an exact one as the largest: a figure that somebody tampered with is
 * found, and does not end the reading.
 */
export function boundedInt(column: string): RawBuilder<number> {
  return sql<number>`least(greatest(${sql.ref(column)}, ${-Number.MAX_SAFE_INTEGER}::bigint), ${Number.MAX_SAFE_INTEGER}::bigint)`
}
