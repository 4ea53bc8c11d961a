import { Client } from 'pg'
import { priceIdOf, textOfTerms } from '../../apps/server/src/modules/catalog/price-terms.ts'

/** When the copies were ordered; their first month ends at the same hour of the next. */
export const anchor = new Date('2027-01-10T12:00:00Z')
export const firstEnd = new Date('2027-02-10T12:00:00Z')

const terms = {
  kind: 'instance' as const,
  cloudName: 'bay',
  offering: 'bay-2',
  cpuCoreCount: 2,
  memoryMiB: 4096,
  diskMiB: 40_960,
  title: { 'en-US': 'Bay 2', 'zh-CN': 'Bay 2' },
  amount: 720,
  currency: 'usd' as const,
  interval: 'month' as const,
}

/**
 * Accounts with an address, credit for years unless it is left out, and one cluster of one instance each, paid until
 * `firstEnd`; as rows.
 */
export async function insertSubscribers(
  databaseUrl: string,
  count: number,
  { hasCredit = true }: { hasCredit?: boolean } = {},
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const many = `generate_series(1, ${count}) n`
  const id = (prefix: string) => `'${prefix}_bench' || lpad(n::text, 15, '0')`
  const did = `'did:key:z6Mk' || lpad(n::text, 44, 'a')`
  const userid = id('ac')
  const [from, end] = [`'${anchor.toISOString()}'::timestamptz`, `'${firstEnd.toISOString()}'::timestamptz`]
  const priceId = priceIdOf(terms)
  try {
    await client.query('insert into prices (id, terms, created_at) values ($1, $2, now())', [
      priceId,
      textOfTerms(terms),
    ])
    await client.query(`insert into accounts (account_id, did, can_create_cluster, created_at, currency, zone, email, locale)
      select ${userid}, ${did}, true, ${from}, 'usd', 'UTC', 'reef' || n || '@mail.example', 'en-US' from ${many}`)
    await client.query(`insert into clusters (id, owner, name, cluster_type, cloud_name, region_id, offering, version,
        host_label, status, desired, created_at, changed_at, checked_at)
      select ${id('cl')}, ${userid}, 'Reef ' || n, 'Cloud', 'bay', 'bay', 'bay-2', '1.0.0', 'reef' || n,
        'running', 'running', ${from}, ${from}, ${from} from ${many}`)
    await client.query(`insert into instances (id, cluster_id, owner, role, status, offering, cpu_core_count,
        memory_mib, disk_mib, install_task, created_at, changed_at)
      select ${id('in')}, ${id('cl')}, ${userid}, 'master', 'running', 'bay-2', 2, 4096, 40960, ${id('op')},
        ${from}, ${from} from ${many}`)
    await client.query(`insert into subscriptions (id, userid, kind, cluster_id, state, anchor, period_start,
        period_end, created_at)
      select ${id('su')}, ${userid}, 'cluster', ${id('cl')}, 'active', ${from}, ${from}, ${end}, ${from} from ${many}`)
    await client.query(`insert into subscription_items (id, userid, subscription_id, instance_id, price_id, state,
        created_at, began_at)
      select ${id('si')}, ${userid}, ${id('su')}, ${id('in')}, '${priceId}', 'active', ${from}, ${from} from ${many}`)
    await client.query(`insert into due_items (userid, kind, object, due_at, wall_at)
      select ${userid}, 'renewal', ${id('su')}, ${end}, ${end} from ${many}`)
    if (hasCredit)
      await client.query(`select ledger_post(${userid}, 'usd', ${from}, 'adjust', 'credit', 'credit ' || n,
      array['cash', 'adjust'], array[-1000000, 1000000]) from ${many}`)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}
