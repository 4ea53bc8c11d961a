import type { AgentProgram } from '@atoll/contract/agents'
import type { Db } from '../../platform/db/index.ts'
import { agentsWithChannels, isConnected, lastSeen } from './agent-store.ts'

export interface RunningProgram {
  instanceId: string
  clusterId: string
  isConnected: boolean
  /** Null before its first connection. */
  seenAt: Date | null
  /** Null before its first report. */
  version: string | null
  /** Null: it cannot update itself. */
  program: AgentProgram | null
}

/** The program of every agent that may serve. */
export async function listPrograms(db: Db): Promise<RunningProgram[]> {
  return await agentsWithChannels(db)
    .select([
      'agents.instance_id as instanceId',
      'agents.cluster_id as clusterId',
      isConnected.as('isConnected'),
      lastSeen.as('seenAt'),
      'agents.agent_version as version',
      'agents.program',
    ])
    .where('agents.refused_at', 'is', null)
    .execute()
}
