import { findReportedHosts } from '../modules/agents/index.ts'
import { findMasterOf } from '../modules/clusters/index.ts'
import type { Db } from '../platform/db/index.ts'

/** The names below its own host that a cluster registers, as its master's agent reports them; null: it says none. */
export async function listRegisteredHosts(db: Db, clusterId: string): Promise<string[] | null> {
  const master = await findMasterOf(db, clusterId)
  return master === undefined ? null : await findReportedHosts(db, master)
}
