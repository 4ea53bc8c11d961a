import type { Db } from '../../platform/db/index.ts'
import { agentsWithChannels, isConnected } from './agent-store.ts'

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
