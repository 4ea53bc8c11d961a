import { sql } from 'kysely'
import type { Db, Trx } from '../db/index.ts'

/** PostgreSQL refuses longer payloads; bytes. */
export const payloadLimit = 7999

/**
 * Sends `payload` as JSON to every listener of `channel`, in every process, when the caller's transaction commits.
 * Notifications may be lost while a listener is disconnected: a listener that keeps state reads it again at `onResync`.
 */
export async function notify(db: Db | Trx, channel: string, payload: unknown): Promise<void> {
  await notifyAll(db, channel, [payload])
}

/** As `notify` for each of `payloads`, in one statement. */
export async function notifyAll(db: Db | Trx, channel: string, payloads: readonly unknown[]): Promise<void> {
  const texts = payloads.map((payload) => JSON.stringify(payload))
  if (texts.some((text) => Buffer.byteLength(text) > payloadLimit)) {
    throw new Error(`A notification on ${channel} has more than ${payloadLimit} bytes`)
  }
  await sql`select pg_notify(${channel}, payload) from unnest(${texts}::text[]) as payload`.execute(db)
}
