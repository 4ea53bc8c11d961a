/** The acts on rollouts that an operator approves in the wallet: about the deployment, and no customer. */
import { type RolloutKind, rolloutBack, rolloutContinue, rolloutStart } from '@atoll/contract/rollouts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { recordAudit } from '../audit/index.ts'
import { type AnyAct, type ApprovedBy, defineAct } from '../staff/index.ts'
import { findRollout } from './rollout-store.ts'
import { continueRollout, type RolloutDeps, startRollout, takeBackRollout } from './rollouts.ts'

type RolloutAction = `support.rollout${'Start' | 'Pause' | 'Continue' | 'Back'}`

export async function recordRollout(
  trx: Trx,
  action: RolloutAction,
  { id, version }: { id: string; version: string },
  { caller, reason, approval }: Pick<ApprovedBy, 'caller' | 'reason'> & { approval?: string },
): Promise<void> {
  await recordAudit(trx, {
    ...{ actor: caller, ip: caller.ip, action },
    object: { kind: 'support', id, owner: caller.userid, name: version },
    after: { version, reason, ...(approval !== undefined && { approval }) },
  })
}

export function rolloutActs(deps: RolloutDeps): AnyAct[] {
  return [
    defineAct({
      act: 'rolloutStart',
      call: rolloutStart,
      describe: async (_, { kind, version }) => ({ object: objectOf({ kind, version }) }),
      async perform(trx, { kind, version }, by) {
        const id = await startRollout(deps, trx, { kind, version })
        await recordRollout(trx, 'support.rolloutStart', { id, version }, by)
        return {}
      },
    }),
    defineAct({
      act: 'rolloutContinue',
      call: rolloutContinue,
      describe: (trx, { rolloutId }) => subjectOf(trx, rolloutId),
      async perform(trx, { rolloutId }, by) {
        await recordRollout(trx, 'support.rolloutContinue', await continueRollout(deps, trx, rolloutId), by)
        return {}
      },
    }),
    defineAct({
      act: 'rolloutBack',
      call: rolloutBack,
      describe: (trx, { rolloutId }) => subjectOf(trx, rolloutId),
      async perform(trx, { rolloutId }, by) {
        await recordRollout(trx, 'support.rolloutBack', await takeBackRollout(trx, rolloutId), by)
        return {}
      },
    }),
  ]
}

async function subjectOf(db: Db, rolloutId: string) {
  return { object: objectOf((await findRollout(db, rolloutId)) ?? refuse('notFound', { object: 'rollout' })) }
}

/** Its second word is what the wallet names. */
function objectOf({ kind, version }: { kind: RolloutKind; version: string }): string {
  return `${kind} ${version}`
}
