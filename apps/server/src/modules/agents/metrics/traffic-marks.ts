/**
 * Bytes that do not pass our edge (an operator's frps, a Cloudflare tunnel), as the agents' own counters tell them. A
 * mark says up to which measurement an instance's were taken; what is taken and the mark change in one transaction, so
 * nothing is counted twice, and nothing is lost while measurements are kept (8 days). A counter that fell began anew
 * with its agent. It is the host's own word: its owner can make it lie about what the owner pays for.
 */
import { sql } from 'kysely'
import type { Trx } from '../../../platform/db/index.ts'
import '../agents-tables.ts'

/** Measurements of several processes may become visible a little out of order. */
const settled = sql`clock_timestamp() - interval '10 seconds'`

export interface TakenTraffic {
  instanceId: string
  in: number
  out: number
}

/** The bytes of `instanceIds` since they were last taken; instances without any are left out. */
export async function takeTraffic(trx: Trx, instanceIds: readonly string[]): Promise<TakenTraffic[]> {
  const ids = [...instanceIds].sort()
  if (ids.length === 0) return []
  await sql`insert into agent_traffic_marks (instance_id, at, net_in, net_out)
    select id, 'epoch', 0, 0 from unnest(${ids}::text[]) as id on conflict do nothing`.execute(trx)
  // In one order, so that two who take at once wait for each other instead of failing.
  await sql`select 1 from agent_traffic_marks where instance_id = any(${ids}::text[]) order by instance_id for update`.execute(
    trx,
  )
  const { rows } = await sql<TakenTraffic>`
    with rises as (
      select m.instance_id, m.at, m.net_in, m.net_out,
        m.net_in - coalesce(lag(m.net_in) over w, k.net_in) as rise_in,
        m.net_out - coalesce(lag(m.net_out) over w, k.net_out) as rise_out
      from agent_traffic_marks as k
      join agent_metrics as m on m.instance_id = k.instance_id and m.at > k.at and m.at < ${settled}
      where k.instance_id = any(${ids}::text[])
      window w as (partition by m.instance_id order by m.at)
    ), taken as (
      select instance_id, max(at) as at,
        (array_agg(net_in order by at desc))[1] as net_in, (array_agg(net_out order by at desc))[1] as net_out,
        sum(case when rise_in < 0 then net_in else rise_in end)::bigint as bytes_in,
        sum(case when rise_out < 0 then net_out else rise_out end)::bigint as bytes_out
      from rises group by instance_id
    ), moved as (
      update agent_traffic_marks as k set at = t.at, net_in = t.net_in, net_out = t.net_out
      from taken as t where k.instance_id = t.instance_id
    )
    select instance_id as "instanceId", bytes_in as in, bytes_out as out from taken
    where bytes_in > 0 or bytes_out > 0`.execute(trx)
  return rows
}
