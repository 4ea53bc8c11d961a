import type { Locale } from '@atoll/contract/wire'
import type { Currency } from '@atoll/money'
import type { Generated, Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { GatewayName } from '../gateway/gateway.ts'

interface CardSetupsTable {
  /** `su_…` */
  id: string
  userid: string
  gateway: GatewayName
  currency: Currency
  locale: Locale
  return_url: string
  replaces: string | null
  state: 'asked' | 'open' | 'done' | 'canceled'
  ref: Generated<string | null>
  url: Generated<string | null>
  created_at: Date
  ended_at: Generated<Date | null>
}
export type CardSetup = Selectable<CardSetupsTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    card_setups: CardSetupsTable
  }
}

export async function insertCardSetup(
  trx: Trx,
  setup: Omit<CardSetup, 'state' | 'ref' | 'url' | 'ended_at'>,
): Promise<void> {
  await trx
    .insertInto('card_setups')
    .values({ ...setup, state: 'asked' })
    .execute()
}

export async function findCardSetup(db: Db | Trx, id: string): Promise<CardSetup | undefined> {
  return await db.selectFrom('card_setups').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function lockCardSetup(trx: Trx, id: string): Promise<CardSetup | undefined> {
  return await trx.selectFrom('card_setups').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** False when it was opened or ended before. */
export async function openCardSetup(trx: Trx, id: string, page: { ref: string; url: string }): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('card_setups')
    .set({ state: 'open', ...page })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The page's address goes with its end. */
export async function endCardSetup(trx: Trx, id: string, state: 'done' | 'canceled', at: Date): Promise<void> {
  await trx.updateTable('card_setups').set({ state, ended_at: at, url: null }).where('id', '=', id).execute()
}

export async function deleteCardSetupsBefore(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('card_setups').where('ended_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
