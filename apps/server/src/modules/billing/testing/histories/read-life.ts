import type { Database } from '../../../../platform/db/index.ts'
import type { LifeMoney } from './life-oracle.ts'
import type { PlayedLife } from './play-life.ts'

/** The server's result for a life's money, in the oracle's terms. */
export async function readLife({ pool }: Database, { harness, cash }: PlayedLife): Promise<LifeMoney> {
  const rowsOf = async (text: string) =>
    (await pool.query({ text, values: [harness.userid], rowMode: 'array' })).rows as [string, never][]
  const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return {
    bills: Object.fromEntries(
      await rowsOf(`select id, json_build_object('kind', kind, 'state', state, 'lines', (
        select json_agg(json_build_array(item_id, product_type, ${iso('period_start')}, ${iso('period_end')}, amount_minor, discount_minor) order by line)
        from invoice_items where invoice_id = invoices.id)) from invoices where userid = $1`),
    ),
    payments: Object.fromEntries(
      await rowsOf(`select id, json_build_array(promo_minor, balance_minor, card_minor, collected_minor, rolled_minor)
        from payments where userid = $1`),
    ),
    credits: await rowsOf(`select invoice_id, cash_minor::float8, promo_minor::float8, receivable_minor::float8
      from credit_notes where userid = $1 and cash_minor + promo_minor + receivable_minor > 0 order by 1, 2, 3, 4`),
    balances: Object.fromEntries(
      await rowsOf(`select case when account like 'revenue:%' or account = 'discount' then 'earned' else account end, sum(balance_minor)::float8
        from ledger_balances where book = $1 group by 1 having sum(balance_minor) <> 0`),
    ),
    cash: [...cash.values()],
  }
}
