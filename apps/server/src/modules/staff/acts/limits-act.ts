import { regionLimits } from '@atoll/contract/staff'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { applyCatalog, type CatalogPlace, planLimits } from '../../catalog/index.ts'
import { type AnyAct, defineAct } from './act.ts'
import { recordStaff } from './record-staff.ts'

export interface LimitsActDeps {
  config: Pick<CatalogPlace, 'catalogApply'>
}

type Asked = { cloudName: string; regionId: string; cpu: number; memory: number; disk: number }

/** Plans other factors; refused where the file counts, which they would not be in. */
export async function planAsked({ config }: LimitsActDeps, db: Db, { cloudName, regionId, ...factors }: Asked) {
  if (config.catalogApply !== 'asked') refuse('catalogNotAsked')
  const { cpu, memory, disk } = factors
  return await planLimits(db, { cloudName, regionId, factors: { cpu, memory, disk } })
}

/** Other over-commit factors of a region, applied exactly as their difference was shown. */
export const limitsAct = (deps: LimitsActDeps): AnyAct =>
  defineAct({
    act: 'limits',
    call: regionLimits,
    async describe(_, { cloudName, regionId, cpu, memory, disk }) {
      return { object: `region ${cloudName}/${regionId}:cpu=${cpu},memory=${memory},disk=${disk}` }
    },
    async perform(trx, { from, reason: _, approval: __, requestId: ___, ...asked }, { caller, now, reason, approval }) {
      const { next, change } = await planAsked(deps, trx, asked)
      if (change.from !== from) refuse('catalogChanged')
      await applyCatalog(trx, next, { from, at: now, by: caller.userid })
      const region = `${asked.cloudName}/${asked.regionId}`
      await recordStaff(trx, 'support.limits', { owner: caller.userid, caller, facts: { region, reason, approval } })
      return {}
    },
  })
