import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { agentsWithChannels, isConnected, lastSeen } from './agent-store.ts'

/** Agents by whether they are connected now. */
export async function countAgents(db: Db): Promise<{ connected: number; silent: number }> {
  const { connected, all } = await agentsWithChannels(db)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(isConnected).as('connected'),
      fn.countAll<number>().as('all'),
    ])
    .executeTakeFirstOrThrow()
  return { connected, silent: all - connected }
}

export interface DialedHost {
  /** Host and port; null: its agents have not called since this is noted. */
  host: string | null
  connected: number
  away: number
  /** When the agent that has been away for longest was last heard of. */
  awaySince: Date | null
}

/** Agents that may serve, by the name under which each last called, most first. */
export async function countDialed(db: Db): Promise<DialedHost[]> {
  return await agentsWithChannels(db)
    .select(({ fn }) => [
      'agents.dialed_host as host',
      fn.countAll<number>().filterWhere(isConnected).as('connected'),
      fn.countAll<number>().filterWhere(sql<boolean>`not ${isConnected}`).as('away'),
      sql<Date | null>`min(${lastSeen}) filter (where not ${isConnected})`.as('awaySince'),
    ])
    .where('agents.enrolled_at', 'is not', null)
    .where('agents.refused_at', 'is', null)
    .groupBy('agents.dialed_host')
    .orderBy(sql`count(*)`, 'desc')
    .execute()
}
