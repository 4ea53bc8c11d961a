/** Every world that the reconciler may meet, and the simplest one that obeys it: for properties of `decide`. */
import type { InstallState } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { ClusterStatus } from '@atoll/contract/clusters'
import fc from 'fast-check'
import type { Standing } from '../../billing/index.ts'
import { decide } from '../decide/decide.ts'
import { type AgentView, type Facts, maxRecoveries, type ProviderView, type Step } from '../decide/facts.ts'
import { clusterEvents, isRefused, isTransitioning, type Position, transition } from '../lifecycle/cluster-state.ts'

export const start = new Date('2026-01-01T00:00:00Z')
export const task = 'task-1'

export const install: fc.Arbitrary<InstallState> = fc.record({
  state: fc.constantFrom('waiting', 'running', 'done', 'failed'),
  taskId: fc.constantFrom(null, 'task-0', task),
  reason: fc.constantFrom(null, 'The disk is full.'),
  steps: fc.constant([]),
})
export const unanswered: ProviderView = {
  state: 'unknown',
  reason: { key: 'providerUnreachable', params: { said: 'it does not answer' } },
}
export const provider: fc.Arbitrary<ProviderView> = fc.oneof(
  fc
    .constantFrom<Exclude<ProviderView['state'], 'unknown'>>(
      'absent',
      'queued',
      'starting',
      'running',
      'stopped',
      'failed',
      'unreachable',
    )
    .map(
      (state): ProviderView => ({
        state,
        reason: null,
        incarnation: state === 'running' || state === 'starting' ? 'boot-1' : null,
      }),
    ),
  fc.constant(unanswered),
)
export const agent: fc.Arbitrary<AgentView | undefined> = fc.option(
  fc.record({
    connected: fc.boolean(),
    lastSeenAt: fc.constantFrom(null, start),
    bootId: fc.constantFrom('agent-0', 'agent-1'),
    install,
  }),
  { nil: undefined },
)
const removals: ReadonlySet<ClusterStatus> = new Set(['destroying', 'canceling'])
/** Statuses that wait for a person's answer. */
export const later: ReadonlySet<ClusterStatus> = new Set(['destroy_to_be_confirmed'])
/** Where an instance can be after any history. */
const position: fc.Arbitrary<Position> = fc
  .tuple(
    fc.constantFrom<ClusterStatus>('fetching', 'unpaid'),
    fc.array(fc.constantFrom(...clusterEvents), { maxLength: 25 }),
  )
  .map(([status, events]) =>
    events.reduce<Position>(
      (at, event) => {
        const next = transition(at, event)
        return isRefused(next) || later.has(next.status) ? at : next
      },
      { status, resume_stack: [] },
    ),
  )
export const worker = fc.record({
  status: fc.constantFrom<ClusterStatus>('running', 'stopping', 'stopped', 'installing', 'destroying'),
  desired: fc.constantFrom('running', 'stopped', 'destroyed'),
})
export const facts: fc.Arbitrary<Facts> = fc
  .record({
    now: fc.constant(start),
    role: fc.constantFrom('master', 'worker'),
    selfHosted: fc.constant(false),
    given_up: fc.constant(false),
    position,
    asked: fc.constantFrom('running', 'stopped', 'destroyed'),
    standing: fc.constantFrom<Standing>('clear', 'clear', 'unpaid', 'lapsed', 'overdue', 'graceOver'),
    changedAt: fc.constant(start),
    deadlineAt: fc.constant(new Date(start.getTime() + 600_000)),
    failedCalls: fc.nat(5),
    lastFailure: fc.constantFrom<Reason | null>(null, { key: 'soldOut' }),
    instance: fc.record({
      installTask: fc.constant(task),
      restartFrom: fc.constantFrom(null, 'boot-0', 'boot-1', 'none'),
      moveTo: fc.constantFrom(null, 'there'),
      previousBootId: fc.constantFrom(null, 'agent-0', 'agent-1'),
      recoveries: fc.nat(maxRecoveries),
      missing: fc.boolean(),
      drainTask: fc.constantFrom(null, 'drain-1'),
      isDrained: fc.boolean(),
      drainUntil: fc.constant(new Date(start.getTime() + 60_000)),
    }),
    restore: fc.option(
      fc.record({
        state: fc.constantFrom('open', 'refused', 'done', 'failed'),
        reason: fc.constant<Reason>({ key: 'backupPasswordWrong' }),
      }),
      { nil: undefined },
    ),
    provider,
    agent,
    workers: fc.array(worker, { maxLength: 3 }),
  })
  .map(({ position: { status, resume_stack }, asked, ...rest }) => {
    // An instance that is being removed has 'destroyed' as its desired state, and only its own order can have set that.
    const isLeaving = status === 'destroying' || status === 'canceling' || resume_stack.some((at) => removals.has(at))
    const desired = isLeaving ? 'destroyed' : asked
    return { ...rest, status, resume_stack, desired, workers: rest.role === 'master' ? rest.workers : [] }
  })
/**
 * The simplest world that obeys: calls take effect at once, agents connect and install when their instance runs.
 * Time passes only in waits.
 */
export interface Simulation {
  facts: Facts
  boots: number
}

function booted(simulation: Simulation): Simulation {
  const boots = simulation.boots + 1
  const { provider: before } = simulation.facts
  const location = 'location' in before ? before.location : undefined
  return {
    ...simulation,
    boots,
    facts: {
      ...simulation.facts,
      provider: {
        state: 'running',
        reason: null,
        incarnation: `boot-${boots}`,
        ...(location !== undefined && { location }),
      },
      agent: undefined,
    },
  }
}

/** The world after `step` was carried out. */
export function carryOut(simulation: Simulation, step: Step): Simulation {
  const { facts: before } = simulation
  switch (step.kind) {
    case 'settled':
      return simulation
    case 'move':
    case 'park': {
      const outcome = transition(before, step.event)
      if (isRefused(outcome)) throw new Error(`${before.status} refused ${JSON.stringify(step)}`)
      const isMoving = isTransitioning(outcome.status)
      return {
        ...simulation,
        facts: {
          ...before,
          ...outcome,
          // An instance that is not paid for is no longer desired.
          desired: step.event === 'graceEnded' ? 'destroyed' : before.desired,
          changedAt: before.now,
          deadlineAt: isMoving ? (before.deadlineAt ?? new Date(before.now.getTime() + 600_000)) : null,
          failedCalls: 0,
          instance: {
            ...before.instance,
            missing: step.kind === 'park' && step.event !== 'failed',
            moveTo: outcome.status === before.status ? before.instance.moveTo : null,
          },
        },
      }
    }
    case 'placed':
      return { ...simulation, facts: { ...before, failedCalls: 0, instance: { ...before.instance, moveTo: null } } }
    case 'drained':
      return { ...simulation, facts: { ...before, instance: { ...before.instance, drainTask: null } } }
    case 'observed':
      return { ...simulation, facts: { ...before, instance: { ...before.instance, missing: step.missing } } }
    case 'note':
      return { ...simulation, facts: { ...before, instance: { ...before.instance, restartFrom: step.restartFrom } } }
    case 'wait':
      return workOn({ ...simulation, facts: { ...before, now: step.until } })
    case 'call': {
      const recoveries = before.instance.recoveries + (step.recovers ? 1 : 0)
      const counted = { ...simulation, facts: { ...before, instance: { ...before.instance, recoveries } } }
      const absent = { state: 'absent', reason: null, incarnation: null } as const
      const location = 'location' in before.provider ? before.provider.location : undefined
      const located = location === undefined ? {} : { location }
      switch (step.call) {
        case 'destroy':
          return { ...counted, facts: { ...counted.facts, provider: absent } }
        case 'stop':
          return { ...counted, facts: { ...counted.facts, provider: { ...absent, ...located, state: 'stopped' } } }
        case 'create':
          return before.provider.state === 'absent' ? booted(counted) : counted
        case 'start':
          return before.provider.state === 'running' ? counted : booted(counted)
        case 'move': {
          if (before.provider.state === 'unknown') return counted
          const hasMoved = before.provider.location !== 'there'
          const there = { ...counted, facts: { ...counted.facts, provider: { ...before.provider, location: 'there' } } }
          return hasMoved && before.provider.state !== 'stopped' ? booted(there) : there
        }
        case 'restart':
          return before.provider.state === 'running' && before.provider.incarnation !== before.instance.restartFrom
            ? counted
            : booted(counted)
      }
    }
  }
}

/** Progress of provider, agent and workers while the reconciler waits. */
function workOn(simulation: Simulation): Simulation {
  const before: Facts = {
    ...simulation.facts,
    workers: simulation.facts.workers
      .filter(({ status }) => simulation.facts.desired !== 'destroyed' && status !== 'destroying')
      .map((one) => (one.desired === 'stopped' ? { ...one, status: 'stopped' } : one)),
  }
  const { provider: seen } = before
  const moved = { ...simulation, facts: before }
  if (seen.state === 'queued' || seen.state === 'starting' || seen.state === 'unknown') return booted(moved)
  if (seen.state === 'unreachable') return booted(moved)
  if (seen.state !== 'running') return moved
  const bootId = `${seen.incarnation}/agent`
  const state = before.agent?.bootId === bootId ? 'done' : 'running'
  return {
    ...simulation,
    facts: {
      ...before,
      agent: {
        connected: true,
        lastSeenAt: before.now,
        bootId,
        install: { state, taskId: task, reason: null, steps: [] },
      },
      instance: { ...before.instance, isDrained: true },
    },
  }
}

export function simulate(begin: Facts, steps: number): { simulation: Simulation; steps: Step[] } {
  let simulation: Simulation = { facts: begin, boots: 10 }
  const taken: Step[] = []
  for (let count = 0; count < steps; count += 1) {
    const step = decide(simulation.facts)
    taken.push(step)
    if (step.kind === 'settled') break
    simulation = carryOut(simulation, step)
  }
  return { simulation, steps: taken }
}
