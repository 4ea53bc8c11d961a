import type { Trx } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { findAddressee } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { deadlineText, drainMail, postMail } from '../../mail/index.ts'
import { lockRegion } from '../capacity/capacity-store.ts'
import {
  type DrainRow,
  endDrain,
  insertDrainMove,
  listRunningDrains,
  lockRunningDrain,
  noteTold,
} from '../capacity/drain-store.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { beginMove } from '../commands/instance-move.ts'
import { instanceName } from '../views/instance-json.ts'
import { type DrainStep, decideDrain } from './decide-drain.ts'
import { type Listed, memberOf, readFacts } from './drain-facts.ts'

/** Takes each drain that runs one step further, every minute; the states and steps: decide-drain.ts. */
export function memberDrain(deps: ClusterDeps): Job {
  return defineTimedJob({
    name: 'cluster.drain',
    lane: 'own',
    waits: 'careful',
    cron: '* * * * *',
    async run() {
      for (const drain of await listRunningDrains(deps.db)) await stepDrain(deps, drain)
    },
  })
}

export async function stepDrain(deps: ClusterDeps, drain: DrainRow): Promise<DrainStep> {
  const { listed, ...facts } = await readFacts(deps, deps.db, drain)
  const step = decideDrain(facts)
  if (step.do === 'end') await endDrain(deps.db, drain.id, step.state, facts.now)
  if (step.do === 'tell') await deps.db.transaction().execute((trx) => tellOwners(deps, trx, drain, listed))
  if (step.do === 'move') {
    const instance = listed.find(({ id }) => id === step.instanceId)
    if (instance) await deps.db.transaction().execute((trx) => begin(deps, trx, { drain, step, instance }))
  }
  return step
}

/** Under the locks of an order, so that the room is there; what is decided differently there waits for the next run. */
async function begin(
  deps: ClusterDeps,
  trx: Trx,
  { drain, step, instance }: { drain: DrainRow; step: Extract<DrainStep, { do: 'move' }>; instance: Listed },
): Promise<void> {
  await trx.selectFrom('clusters').select('id').where('id', '=', instance.cluster_id).forNoKeyUpdate().execute()
  await lockRegion(trx, memberOf(drain))
  const running = await lockRunningDrain(trx, drain.id)
  if (!running) return
  const facts = await readFacts(deps, trx, running)
  const again = decideDrain(facts)
  if (again.do !== 'move' || again.instanceId !== step.instanceId) return
  const { cluster_id: clusterId, id: instanceId } = instance
  if (!(await beginMove(deps, trx, { clusterId, instanceId, member: again.member }))) return
  await insertDrainMove(trx, drain.id, instanceId, facts.now)
  await recordAudit(trx, {
    actor: 'system',
    ip: null,
    action: 'instance.move',
    object: { kind: 'instance', id: instanceId, owner: instance.owner, name: instance.name },
    after: { instance: instanceName(instance) },
  })
}

/** A mail to each owner of what is to be moved, in the transaction that notes it. */
async function tellOwners(deps: ClusterDeps, trx: Trx, drain: DrainRow, listed: readonly Listed[]): Promise<void> {
  const running = await lockRunningDrain(trx, drain.id)
  if (!running || running.told_at) return
  const meant = listed.filter(({ purpose }) => purpose === 'user')
  for (const [owner, rows] of Map.groupBy(meant, (row) => row.owner)) {
    const addressee = await findAddressee(trx, owner)
    if (!addressee) continue
    const { email: to, name: account, locale, timeZone } = addressee
    await postMail(trx, deps, {
      kind: drainMail,
      params: {
        account,
        clusters: [...new Set(rows.map(({ name }) => name))],
        starts: deadlineText(drain.begins_at, timeZone, locale),
        ends: deadlineText(drain.ends_at, timeZone, locale),
      },
      userid: owner,
      to,
      locale,
      usableUntil: drain.ends_at,
    })
  }
  await noteTold(trx, drain.id, deps.clock.now())
}
