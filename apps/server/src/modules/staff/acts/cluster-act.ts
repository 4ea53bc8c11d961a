/**
 * Stop, restart, repair or destroy of a customer's cluster, approved. The command has a transaction of its own, so a
 * job gives it, under a request key: it may run twice. A cluster that no longer allows it by then stays as it is, which
 * staff read on Overview.
 */
import { staffClusterCommand, staffCommands } from '@atoll/contract/staff'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../platform/jobs/index.ts'
import { Refusal, refuse } from '../../../platform/refusal.ts'
import { type Clusters, findClusterOwner } from '../../clusters/index.ts'
import { deleteLateCommand, putLateCommand } from '../stores/late-command-store.ts'
import { type AnyAct, defineAct } from './act.ts'
import { recordStaff } from './record-staff.ts'

export interface ClusterActDeps {
  db: Db
  clock: Clock
  clusters: Pick<Clusters, 'staff'>
}

const jobName = 'staff.command'
const actions = {
  stop: 'support.stop',
  restart: 'support.restart',
  repair: 'support.repair',
  destroy: 'support.destroy',
} as const

export const clusterAct = ({ clusters }: ClusterActDeps): AnyAct =>
  defineAct({
    act: 'clusterCommand',
    call: staffClusterCommand,
    async describe(trx, { clusterId, command }) {
      const owner = (await findClusterOwner(trx, clusterId)) ?? refuse('notFound', { object: 'cluster' })
      return { object: `${command} ${clusterId}`, userid: owner }
    },
    async perform(trx, { clusterId, command }, { caller, reason, approval }) {
      const owner = (await findClusterOwner(trx, clusterId)) ?? refuse('notFound', { object: 'cluster' })
      const { name } = await clusters.staff.check(trx, { clusterId, owner, command })
      await deleteLateCommand(trx, clusterId)
      await enqueueJob(trx, jobName, { clusterId, owner, command, requestId: newId('rq') })
      await recordStaff(trx, actions[command], { owner, caller, facts: { cluster: name, reason, approval } })
      return {}
    },
  })

export function clusterActJob({ db, clock, clusters }: ClusterActDeps): Job {
  return defineJob({
    name: jobName,
    lane: 'own',
    waits: 'careful',
    payload: z.object({
      clusterId: z.string(),
      owner: z.string(),
      requestId: z.string(),
      command: z.enum(staffCommands),
    }),
    async run(asked, { log }) {
      try {
        await clusters.staff.command(asked)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        log.warn({ cluster: asked.clusterId, refusal: error.key }, 'a command of staff came too late')
        await putLateCommand(db, { cluster_id: asked.clusterId, owner: asked.owner, at: clock.now() })
      }
    },
  })
}
