/**
 * Decides how each part of the service works, from facts that the processes know anyway: pure. An announcement that
 * names a part makes it at least as bad as it says.
 */
import { type StatusComponent, type StatusState, statusStates } from '@atoll/contract/announcements'
import type { Seen } from './status-store.ts'

export interface Observed {
  /** Roles that have written a heartbeat lately. */
  roles: ReadonlySet<string>
  /** Jobs run. */
  isQueueAlive: boolean
  /** A name server of the deployment is silent. */
  isNameServerSilent: boolean
  /** The vault accepts no copies. */
  isVaultFull: boolean
  /** Payments wait: for the gateway, or until data was checked after a restore. */
  arePaymentsWaiting: boolean
  /** Clusters that are meant to run, for each region of the catalogue. */
  regions: readonly { region: string; running: number; offline: number }[]
  /** Announcements of now. */
  announced: readonly { components: readonly StatusComponent[]; regions: readonly string[]; impact: StatusState }[]
}

/** Fewer without contact are their owners' trouble. */
const fewest = 2
/** Share without contact from which a region is limited, and down. */
const limitedFrom = 0.1
const downFrom = 0.5

export function decideStatus(observed: Observed): Seen[] {
  const { roles, isQueueAlive } = observed
  const needs = (role: string): StatusState => (roles.has(role) ? 'works' : 'down')
  const unless = (holds: boolean): StatusState => (holds ? 'limited' : 'works')
  const whole = (component: StatusComponent, ...states: StatusState[]): Seen => ({
    component,
    region: '',
    state: worst([...states, ...announcedOf(observed, component)]),
  })
  return [
    whole('signIn', needs('api')),
    whole('console', needs('api'), unless(!isQueueAlive)),
    ...observed.regions.map(({ region, running, offline }) => ({
      component: 'clusters' as const,
      region,
      state: worst([
        ...[needs('edge'), unless(!isQueueAlive), contact(running, offline)],
        ...announcedOf(observed, 'clusters', region),
      ]),
    })),
    whole('backups', needs('vault'), unless(observed.isVaultFull || !isQueueAlive)),
    whole('domains', needs('edge'), unless(observed.isNameServerSilent || !isQueueAlive)),
    whole('payments', unless(observed.arePaymentsWaiting || !isQueueAlive)),
  ]
}

function contact(running: number, offline: number): StatusState {
  const share = offline / Math.max(running + offline, 1)
  if (offline < fewest || share < limitedFrom) return 'works'
  return share < downFrom ? 'limited' : 'down'
}

/** Of one that names regions, only clusters there are meant, besides the parts that have no region. */
function announcedOf({ announced }: Observed, component: StatusComponent, region?: string): StatusState[] {
  return announced
    .filter(({ components }) => components.includes(component))
    .filter(({ regions }) => region === undefined || regions.length === 0 || regions.includes(region))
    .map(({ impact }) => impact)
}

/** The worst of these states; without any: it works. */
export function worst(states: readonly StatusState[]): StatusState {
  return statusStates[Math.max(...states.map((state) => statusStates.indexOf(state)))] ?? 'works'
}
