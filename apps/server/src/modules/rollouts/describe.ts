/** Versions and rollouts as staff read them. */
import {
  agentSupportMs,
  type ProgramVersions,
  type Rollout,
  type RolloutWave,
  type RunningVersion,
  rolloutWaves,
} from '@atoll/contract/rollouts'
import type { Db } from '../../platform/db/index.ts'
import { listPrograms, type OfferedAgent } from '../agents/index.ts'
import type { Facts, Target } from './decide.ts'
import { findNewestRollout, listReleases, listTargets, type RolloutRow, type TargetRow } from './rollout-store.ts'
import { readFacts } from './rollouts.ts'

const mostFailures = 20

export async function describeAgents(
  db: Db,
  { now, offer, waveMs }: { now: Date; offer: OfferedAgent | undefined; waveMs: number },
): Promise<ProgramVersions> {
  const programs = await listPrograms(db)
  const newest = await findNewestRollout(db, 'agent')
  const releases = await listReleases(db, 'agent')
  const byVersion = Map.groupBy(
    programs.filter(({ version }) => version !== null),
    ({ version }) => version ?? '',
  )
  const clustersOf = (some: readonly { clusterId: string }[]) => new Set(some.map(({ clusterId }) => clusterId)).size
  const open = newest && newest.state !== 'ended' ? newest : undefined
  const others = [...byVersion].filter(([version]) => version !== open?.version)
  const current = others.toSorted(([, a], [, b]) => clustersOf(b) - clustersOf(a))[0]?.[0]
  const stateOf = (version: string, at: Date | undefined): RunningVersion['state'] => {
    if (version === open?.version) return 'rollingOut'
    if (version === current) return 'current'
    if (version === offer?.version) return 'offered'
    return at && now.getTime() - at.getTime() > agentSupportMs ? 'unsupported' : 'old'
  }
  const offered = offer ? [offer.version] : []
  const versions = [...new Set([...offered, ...byVersion.keys()])].map((version): RunningVersion => {
    const running = byVersion.get(version) ?? []
    const releasedAt = version === offer?.version ? new Date(offer.at * 1000) : releases.get(version)
    return {
      version,
      releasedAt: releasedAt?.toISOString() ?? null,
      state: stateOf(version, releasedAt),
      clusters: clustersOf(running),
      offline: clustersOf(running.filter(({ isConnected }) => !isConnected)),
    }
  })
  const isSigned = offer?.signature !== undefined
  const isBehind = programs.some(({ version }) => version !== offer?.version)
  const isFree = open === undefined || open.state === 'back' || open.version !== offer?.version
  return {
    kind: 'agent',
    clusters: clustersOf(programs),
    offered: offer?.version ?? null,
    isSigned,
    mayStart: isSigned && isBehind && isFree,
    rollout: newest ? await describeRollout(db, newest, { now, offer, waveMs }) : null,
    versions: versions.toSorted((a, b) => (b.releasedAt ?? '').localeCompare(a.releasedAt ?? '')),
  }
}

async function describeRollout(
  db: Db,
  row: RolloutRow,
  { now, offer, waveMs }: { now: Date; offer: OfferedAgent | undefined; waveMs: number },
): Promise<Rollout> {
  const facts = await readFacts(db, row, offer)
  const rows = await listTargets(db, row.id)
  const isLast = row.wave === rolloutWaves.length - 1
  const since = Math.max(row.wave_at.getTime(), row.fault_at?.getTime() ?? 0)
  return {
    rolloutId: row.id,
    kind: row.kind,
    version: row.version,
    state: row.state,
    wave: row.wave,
    pausedBecause: row.paused_because,
    pausedAt: row.paused_at?.toISOString() ?? null,
    waveEndsAt: row.state === 'running' && !isLast ? new Date(since + waveMs).toISOString() : null,
    waves: rolloutWaves.map((wave, place) => describeWave(facts, { wave, place, now })),
    failures: failuresOf(rows),
    createAt: row.created_at.toISOString(),
  }
}

/** A cluster stands as the worst of its machines. */
const worst = ['failed', 'asked', 'waiting', 'returned', 'updated'] as const

function describeWave(
  { targets }: Facts,
  { wave, place, now }: { wave: RolloutWave['wave']; place: number; now: Date },
): RolloutWave {
  const counts = { updated: 0, failed: 0, returned: 0, asked: 0, waiting: 0 }
  let offline = 0
  let putOff = 0
  const clusters = [
    ...Map.groupBy(
      targets.filter((one) => one.wave === place),
      ({ clusterId }) => clusterId,
    ).values(),
  ]
  for (const machines of clusters) {
    const state = worst.find((one) => machines.some((machine) => machine.state === one)) ?? 'waiting'
    counts[state] += 1
    if (state !== 'waiting') continue
    if (machines.some((machine) => isPutOff(machine, now))) putOff += 1
    else if (machines.some(({ isConnected }) => !isConnected)) offline += 1
  }
  return { wave, clusters: clusters.length, ...counts, offline, putOff }
}

const isPutOff = ({ notBefore }: Target, now: Date) => notBefore !== null && notBefore > now

function failuresOf(rows: readonly TargetRow[]): Rollout['failures'] {
  return rows
    .filter(({ state }) => state === 'failed')
    .toSorted((a, b) => b.changed_at.getTime() - a.changed_at.getTime())
    .slice(0, mostFailures)
    .map(({ cluster_id, reason, changed_at }) => ({
      clusterId: cluster_id,
      reason: reason ?? '',
      at: changed_at.toISOString(),
    }))
}
