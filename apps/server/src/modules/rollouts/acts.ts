/** The acts on rollouts, which an operator approves in the wallet: about the deployment, and no customer. */
import { type RolloutKind, rolloutBack, rolloutContinue, rolloutStart } from '@atoll/contract/rollouts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { recordAudit } from '../audit/index.ts'
import { type AnyAct, type ApprovedBy, defineAct } from '../staff/index.ts'
import { findRollout } from './rollout-store.ts'
import { continueRollout, pauseRollout, type RolloutDeps, startRollout, takeBackRollout } from './rollouts.ts'

type RolloutAction = `support.rollout${'Start' | 'Pause' | 'Continue' | 'Back'}`

/** `by`: one of the staff, or the operator's command. */
export async function recordRollout(
  trx: Trx,
  action: RolloutAction,
  { id, version }: { id: string; version: string },
  by: (Pick<ApprovedBy, 'caller' | 'reason'> & { approval?: string }) | 'system',
): Promise<void> {
  const object = { kind: 'support', id, name: version } as const
  if (by === 'system') {
    const ownerless = { ...object, owner: null }
    return await recordAudit(trx, { actor: by, ip: null, action, object: ownerless, after: { version } })
  }
  const { caller, reason, approval } = by
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action,
    object: { ...object, owner: caller.userid },
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

export const rolloutVerbs = ['start', 'pause', 'continue', 'back'] as const

/** The operator's command: the same acts as staff's, who need an approval. `id`: the newest rollout's. */
export async function actAsOperator(
  deps: Pick<RolloutDeps, 'clock' | 'offered'>,
  trx: Trx,
  { verb, id, version }: { verb: (typeof rolloutVerbs)[number]; id: string; version: string },
): Promise<void> {
  switch (verb) {
    case 'start': {
      const started = await startRollout(deps, trx, { kind: 'agent', version })
      return await recordRollout(trx, 'support.rolloutStart', { id: started, version }, 'system')
    }
    case 'pause':
      return await recordRollout(trx, 'support.rolloutPause', await pauseRollout(deps, trx, id), 'system')
    case 'continue':
      return await recordRollout(trx, 'support.rolloutContinue', await continueRollout(deps, trx, id), 'system')
    case 'back':
      return await recordRollout(trx, 'support.rolloutBack', await takeBackRollout(trx, id), 'system')
  }
}

async function subjectOf(db: Db, rolloutId: string) {
  return { object: objectOf((await findRollout(db, rolloutId)) ?? refuse('notFound', { object: 'rollout' })) }
}

/** Its second word is what the wallet names. */
function objectOf({ kind, version }: { kind: RolloutKind; version: string }): string {
  return `${kind} ${version}`
}
