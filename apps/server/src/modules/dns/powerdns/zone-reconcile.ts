/**
 * Job zone.reconcile: has each PowerDNS serve a zone as the rows have it, or stop serving it. `decide-copy.ts` decides.
 * Every run begins with a read of the server's zone, so that changes made there (drift) are found with the same
 * comparison that finds an old version; every zone is compared again after a while.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import { defineReconciler, defineSweep, type Outcome } from '../../../platform/reconcile/index.ts'
import type { Zone } from '../zones/zone.ts'
import { listZones } from '../zones/zone-store.ts'
import {
  type CopyRow,
  deleteCopy,
  listCopies,
  listDueCopies,
  noteCopies,
  notePublished,
  writeCopy,
} from './copy-store.ts'
import { type CopyFacts, type CopyStep, decideCopy } from './decide-copy.ts'
import { type PowerDns, PowerDnsFault } from './powerdns-client.ts'
import { changesTo, type Rrset, rrsetsOf } from './rrsets.ts'
import { askOutstanding } from './zone-sources.ts'

export const zoneReconcileJob = 'zone.reconcile'
/** The lock classes in use: platform/reconcile/reconcile-locks.ts. */
const lockClass = 7008
/** From one comparison of a zone to the next, ms, and how many zones are woken for it a minute. */
const compareEveryMs = 10 * 60_000
const comparedAtOnce = 1000

export interface ZonePublishing {
  db: Db
  clock: Clock
  servers: readonly PowerDns[]
  /** A server had a zone otherwise than it was last written. */
  onRepair(server: string): void
}

interface Snapshot {
  domain: string
  zone: Zone | undefined
  copies: readonly CopyRow[]
}

interface Observation {
  /** The server's address. */
  id: string
  server: PowerDns
  rrsets: readonly Rrset[]
  facts: CopyFacts
}

export function zoneReconcile(deps: ZonePublishing): Job {
  const { db, clock, servers } = deps
  return defineReconciler<Snapshot, Observation, CopyStep>({
    name: zoneReconcileJob,
    lane: 'names',
    // The servers are the operator's: all zones wait for them alike.
    accountOf: () => null,
    // No `source`: `observe` waits for each PowerDNS that was not asked since the start, independently of the others.
    waits: 'careful',
    lockClass,
    db,
    clock,
    async load(domain) {
      const [zones, copies] = await Promise.all([listZones(db, [domain]), listCopies(db, domain)])
      return zones.length > 0 || copies.length > 0 ? { domain, zone: zones[0], copies } : undefined
    },
    versionOf: ({ zone }) => String(zone?.serial),
    async observe(snapshot, log) {
      const unasked = await askOutstanding(deps, log)
      // The sweep wakes the zone after this.
      if (!unasked) return []
      return await Promise.all(
        servers.map((server) => observe(deps, server, { snapshot, unasked: unasked.get(server.server) })),
      )
    },
    decide: ({ facts }) => decideCopy(facts),
    apply: async ({ domain }, observation, step, { log }) => await applyStep(deps, domain, observation, step, log),
  })
}

/** Wakes zones whose copies are old, were not compared for long, or should be gone. */
export function zoneSweep({ db, clock, servers }: ZonePublishing): Job {
  const names = servers.map(({ server }) => server)
  const due = (now: Date, before: Date, most: number) => listDueCopies(db, names, { now, before, most })
  return defineSweep({
    name: 'zone.sweep',
    lane: 'own',
    waits: 'careful',
    reconciler: zoneReconcileJob,
    db,
    clock,
    async listChanged() {
      const now = clock.now()
      return await due(now, new Date(now.getTime() - compareEveryMs), comparedAtOnce)
    },
    listQuiet: async (now, all) => (all ? await due(now, now, 1_000_000) : []),
  })
}

/** `unasked`: why this server has not said yet that it knows no more than this database. */
async function observe(
  { clock }: ZonePublishing,
  server: PowerDns,
  { snapshot, unasked }: { snapshot: Snapshot; unasked: string | undefined },
): Promise<Observation> {
  const { domain, zone, copies } = snapshot
  const rrsets = zone ? rrsetsOf(zone) : []
  return {
    id: server.server,
    server,
    rrsets,
    facts: {
      serial: zone?.serial,
      copy: copies.find((copy) => copy.server === server.server),
      seen:
        unasked === undefined
          ? await readCopy(server, domain, rrsets)
          : { kind: 'fault', problem: 'away', detail: unasked },
      now: clock.now(),
    },
  }
}

async function readCopy(server: PowerDns, domain: string, wanted: readonly Rrset[]): Promise<CopyFacts['seen']> {
  try {
    const found = await server.findZone(domain)
    if (!found) return { kind: 'absent' }
    const { isOurs, isPlain, rrsets } = found
    return { kind: 'zone', isOurs, isPlain, changes: changesTo(wanted, rrsets) }
  } catch (error) {
    return faultOf(error)
  }
}

function faultOf(error: unknown) {
  if (!(error instanceof PowerDnsFault)) throw error
  return { kind: 'fault', problem: error.kind, detail: error.message } as const
}

async function applyStep(
  deps: ZonePublishing,
  domain: string,
  observation: Observation,
  step: CopyStep,
  log: Log,
): Promise<Outcome> {
  try {
    return await doStep(deps, domain, observation, step, log)
  } catch (error) {
    // Whether it was done is seen at the next read.
    const failed = decideCopy({ ...observation.facts, seen: faultOf(error) })
    return await doStep(deps, domain, observation, failed, log)
  }
}

async function doStep(
  { db, onRepair }: ZonePublishing,
  domain: string,
  { server, rrsets, facts }: Observation,
  step: CopyStep,
  log: Log,
): Promise<Outcome> {
  const key = { server: server.server, domain }
  const { now, serial: version } = facts
  const written = { version: version ?? null, checked_at: now, failures: 0, next_try_at: null, problem: null }
  if (version !== undefined && (step.kind === 'create' || step.kind === 'patch'))
    await notePublished(db, key.server, version)
  switch (step.kind) {
    case 'create':
      await noteCopies(db, key.server, [domain])
      await server.createZone(domain, rrsets)
      break
    case 'patch':
      await server.patchZone(domain, step.changes)
      break
    case 'makePlain':
      await server.makePlain(domain)
      return { kind: 'stepped' }
    case 'remove':
      await server.removeZone(domain)
      return { kind: 'stepped' }
    case 'forget':
      await deleteCopy(db, key)
      return { kind: 'rests' }
    case 'confirm':
      break
    case 'fail': {
      const { problem, detail, until } = step
      // That a server is away is logged once by who asks it, not for every zone.
      if (problem !== 'away' && (facts.copy?.failures ?? 0) === 0)
        log.warn({ ...key, problem, detail }, 'PowerDNS does not take a zone; it is tried again')
      await writeCopy(db, key, { failures: (facts.copy?.failures ?? 0) + 1, next_try_at: until, problem })
      return { kind: 'wait', until }
    }
  }
  if ('isRepair' in step && step.isRepair) {
    onRepair(key.server)
    log.warn({ ...key, version }, 'a zone was changed in PowerDNS by somebody else; it is as it was again')
  }
  await writeCopy(db, key, written)
  return { kind: 'rests' }
}
