/**
 * Decides the next steps of a rollout. Pure: `rollouts.ts` reads the facts and carries the steps out, again and again.
 * A rollout's states:
 *   running   one wave after the other; a wave ends after a day without a fault
 *   paused    nothing new is asked; what an agent was asked for before goes on
 *   back      every updated target is asked to go back; what was not sent to an agent yet is canceled
 *   ended     nothing is left to do, or a newer one took its place
 * A target is an instance: waiting → asked → updated | failed; back: updated → asked → returned | failed. An instance
 * that is not connected, or whose owner put the update off, keeps no wave from ending: it is asked when it can be.
 */
export const waveNames = ['own', 'first', 'second', 'rest'] as const
/** Shares of the clusters that are not the operator's own, but for the rest. */
const waveShares = [0.05, 0.25] as const
/** Of the clusters of a wave; more of them pause it, if they are at least `leastFailures`. */
export const failingShare = 0.05
const leastFailures = 2
/** Agents that are asked and have not answered, at a time: what a bad version can do before it is noticed. */
const mostAtOnce = 20
/**
 * One that was asked is away while it tries, which it may do hours later, after the backup that runs; if it stays away
 * for longer, nobody waits for it. ms
 */
const answerMs = 60 * 60 * 1000

export type RolloutState = 'running' | 'paused' | 'back' | 'ended'
export type TargetState = 'waiting' | 'asked' | 'updated' | 'failed' | 'returned'

export interface Target {
  instanceId: string
  clusterId: string
  wave: number
  state: TargetState
  isConnected: boolean
  seenAt: Date | null
  /** The version that its agent reports; null: none yet. */
  runs: string | null
  /** It knows how to update itself, and has a key. */
  mayUpdate: boolean
  /** The last change of its state. */
  changedAt: Date
  /** Its owner put it off until then. */
  notBefore: Date | null
}

export interface Facts {
  version: string
  state: RolloutState
  wave: number
  waveAt: Date
  /** The last failure of this wave. */
  faultAt: Date | null
  /** This server still offers that version, signed. */
  isOffered: boolean
  targets: readonly Target[]
}

export type Step =
  /** These run the version already, by whatever way. */
  | { do: 'settle'; instanceIds: string[] }
  | { do: 'ask' | 'askBack'; instanceIds: string[] }
  | { do: 'pause'; why: 'failures' | 'notOffered' }
  | { do: 'nextWave' }
  | { do: 'end' }

/** At most one of the steps that change the rollout itself is among them, the last. */
export function decideRollout(facts: Facts, { now, waveMs }: { now: Date; waveMs: number }): Step[] {
  if (facts.state === 'running') return decideRunning(facts, { now, waveMs })
  return facts.state === 'back' ? decideBack(facts, now) : []
}

function decideRunning(facts: Facts, { now, waveMs }: { now: Date; waveMs: number }): Step[] {
  if (!facts.isOffered) return [{ do: 'pause', why: 'notOffered' }]
  if (isFailing(facts)) return [{ do: 'pause', why: 'failures' }]
  const steps: Step[] = []
  const already = facts.targets.filter(({ state, runs }) => state === 'waiting' && runs === facts.version)
  if (already.length > 0) steps.push({ do: 'settle', instanceIds: idsOf(already) })
  const begun = facts.targets.filter(({ wave, runs }) => wave <= facts.wave && runs !== facts.version)
  const due = begun.filter((target) => target.state === 'waiting' && isReachable(target, now))
  const answering = facts.targets.filter((target) => isAnswering(target, now)).length
  const next = due.slice(0, Math.max(0, mostAtOnce - answering))
  if (next.length > 0) return [...steps, { do: 'ask', instanceIds: idsOf(next) }]
  if (due.length > 0 || answering > 0) return steps
  const isLast = facts.wave === waveNames.length - 1
  if (isLast) return facts.targets.every(isSettled) ? [...steps, { do: 'end' }] : steps
  const since = Math.max(facts.waveAt.getTime(), facts.faultAt?.getTime() ?? 0)
  const isEmpty = !facts.targets.some(({ wave }) => wave === facts.wave)
  return isEmpty || now.getTime() >= since + waveMs ? [...steps, { do: 'nextWave' }] : steps
}

function decideBack({ targets }: Facts, now: Date): Step[] {
  const answering = targets.filter((target) => isAnswering(target, now)).length
  const updated = targets.filter(({ state }) => state === 'updated')
  const next = updated.filter(({ isConnected }) => isConnected).slice(0, Math.max(0, mostAtOnce - answering))
  if (next.length > 0) return [{ do: 'askBack', instanceIds: idsOf(next) }]
  return targets.every(({ state }) => state !== 'updated' && state !== 'asked') ? [{ do: 'end' }] : []
}

/** Of some wave, an earlier one too, more clusters failed than the operator allows. */
function isFailing({ targets }: Pick<Facts, 'targets'>): boolean {
  return waveNames.some((_, wave) => {
    const mine = targets.filter((target) => target.wave === wave)
    const clusters = new Set(mine.map(({ clusterId }) => clusterId)).size
    const failed = new Set(mine.filter(({ state }) => state === 'failed').map(({ clusterId }) => clusterId)).size
    return failed >= leastFailures && failed > clusters * failingShare
  })
}

function isAnswering({ state, isConnected, seenAt, changedAt }: Target, now: Date): boolean {
  const since = Math.max(changedAt.getTime(), seenAt?.getTime() ?? 0)
  return state === 'asked' && (isConnected || now.getTime() - since < answerMs)
}

function isReachable({ isConnected, mayUpdate, notBefore }: Target, now: Date): boolean {
  return isConnected && mayUpdate && (notBefore === null || notBefore <= now)
}

function isSettled({ state, mayUpdate }: Target): boolean {
  return !['waiting', 'asked'].includes(state) || !mayUpdate
}

const idsOf = (targets: readonly Target[]) => targets.map(({ instanceId }) => instanceId)

/**
 * The wave of each cluster: the operator's own first, then 5 % and 25 % of the others, at least one each, in the order
 * of `others`, then the rest.
 */
export function assignWaves(own: readonly string[], others: readonly string[]): Map<string, number> {
  const waves = new Map(own.map((clusterId) => [clusterId, 0]))
  let from = 0
  for (const [index, share] of waveShares.entries()) {
    const count = Math.ceil(others.length * share)
    for (const clusterId of others.slice(from, from + count)) waves.set(clusterId, index + 1)
    from += count
  }
  for (const clusterId of others.slice(from)) waves.set(clusterId, waveNames.length - 1)
  return waves
}
