/** Brings an account of a test to its end, and looks for what is left of it. */
import { until } from '@atoll/testkit'
import { sql } from 'kysely'
import { columnsWith } from '../../authorization/testing/columns-with.ts'
import type { Person, TestApp } from '../../authorization/testing/test-app.ts'
import { silentLog } from '../../platform/log.ts'
import { findErasure } from './stores/erasure-store.ts'

export async function runJob({ system }: TestApp, name: string, payload: object = {}): Promise<void> {
  const job = system.jobs.find((each) => each.name === name)
  await job?.run(payload, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}

/** Its time is over at once; clusters go as soon as they are asked to, and mails are sent. */
export async function endNow(app: TestApp, { userid }: Person): Promise<void> {
  const { db } = app.database
  await sql`update account_holds set until = now() - interval '1 minute' where account_id = ${userid}
    and reason = 'closing' and released_at is null`.execute(db)
  await until('the account to be erased', async () => {
    await runJob(app, 'account.closings')
    await sql`update clusters set status = 'destroyed' where owner = ${userid} and status = 'destroying'`.execute(db)
    await sql`update mails set state = 'sent', params = null, ended_at = now() where userid = ${userid}
      and state = 'waiting'`.execute(db)
    return (await findErasure(db, userid))?.erased_at ?? undefined
  })
}

/** The columns in which one of these texts stands. */
export async function tracesOf({ database }: Pick<TestApp, 'database'>, texts: readonly string[]): Promise<string[]> {
  return await columnsWith(database.pool, texts)
}
