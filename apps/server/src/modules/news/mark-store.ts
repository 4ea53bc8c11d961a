import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'

interface AccountMarksTable {
  account_id: string
  mark: 'stepsDismissed' | 'passwordKept' | 'newsRead'
  at: Date
}
export type Mark = AccountMarksTable['mark']

declare module '../../platform/db/index.ts' {
  interface Tables {
    account_marks: AccountMarksTable
  }
}

/** When the account said each of these last. */
export async function readMarks(db: Db, accountId: string): Promise<Map<Mark, Date>> {
  const rows = await db.selectFrom('account_marks').select(['mark', 'at']).where('account_id', '=', accountId).execute()
  return new Map(rows.map(({ mark, at }) => [mark, at]))
}

/** Notes that the account said it at `at`. A mark only moves forward: an older request may arrive late. */
export async function noteMark({ db }: { db: Db }, userid: string, mark: Mark, at: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('account_marks')
      .values({ account_id: userid, mark, at })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'mark']).doUpdateSet({ at: sql`greatest(account_marks.at, ${at})` }),
      )
      .execute()
    await publishChange(trx, { account: userid, topic: 'account', id: userid })
  })
}
