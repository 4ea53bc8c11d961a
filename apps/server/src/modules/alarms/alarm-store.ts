import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import { advisoryLockClass } from '../../platform/db/migrations/migrate.ts'
import type { Known, Notice, Severity } from './decide.ts'

interface OperatorAlarmsTable {
  name: string
  severity: Severity
  text: string
  since: Date
  told_at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    operator_alarms: OperatorAlarmsTable
  }
}

/** Second half of the advisory lock. */
const alarmsLock = 4804

/** Runs `work` while no other process does; else not at all. */
export async function asOnlyTeller(db: Db, work: (trx: Trx) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(${advisoryLockClass}, ${alarmsLock}) as held`.execute(trx)
    if (rows[0]?.held === true) await work(trx)
  })
}

export async function listAlarms(db: Db): Promise<Known[]> {
  return await db.selectFrom('operator_alarms').selectAll().orderBy('name').execute()
}

export async function saveNotices(trx: Trx, notices: readonly Notice[], now: Date): Promise<void> {
  for (const { state, ...alarm } of notices) {
    if (state === 'ended') await trx.deleteFrom('operator_alarms').where('name', '=', alarm.name).execute()
    else {
      const row = { ...alarm, told_at: now }
      await trx
        .insertInto('operator_alarms')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute()
    }
  }
}
