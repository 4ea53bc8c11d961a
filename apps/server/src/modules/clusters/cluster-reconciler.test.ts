import type { ClusterStatus, InstallState } from '@atoll/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AgentView,
  backoffMs,
  decide,
  maxRecoveries,
  type ProviderView,
  type Step,
  type World,
} from './cluster-reconciler.ts'
import { isRefused, isTransitioning, type Position, transition } from './cluster-state.ts'

const start = new Date('2026-01-01T00:00:00Z')
const task = 'task-1'

const install: fc.Arbitrary<InstallState> = fc.record({
  state: fc.constantFrom('waiting', 'running', 'done', 'failed'),
  taskId: fc.constantFrom(null, 'task-0', task),
  reason: fc.constantFrom(null, 'The disk is full.'),
  steps: fc.constant([]),
})
const provider: fc.Arbitrary<ProviderView> = fc.oneof(
  fc
    .constantFrom<Exclude<ProviderView['state'], 'unknown'>>(
      'absent',
      'queued',
      'starting',
      'running',
      'stopped',
      'failed',
    )
    .map(
      (state): ProviderView => ({
        state,
        address: state === 'running' ? { host: '127.0.0.1', port: 4000 } : null,
        reason: null,
        incarnation: state === 'running' || state === 'starting' ? 'boot-1' : null,
      }),
    ),
  fc.constant<ProviderView>({ state: 'unknown', reason: 'it does not answer' }),
)
const agent: fc.Arbitrary<AgentView | undefined> = fc.option(
  fc.record({ connected: fc.boolean(), bootId: fc.constantFrom('agent-0', 'agent-1'), install }),
  { nil: undefined },
)
const statuses: ClusterStatus[] = [
  'paid',
  'fetching',
  'queuing',
  'pending',
  'installing',
  'running',
  'starting',
  'restarting',
  'stopping',
  'stopped',
  'destroying',
  'canceling',
]
const world: fc.Arbitrary<World> = fc.record({
  now: fc.constant(start),
  status: fc.constantFrom(...statuses),
  deadlineAt: fc.constant(new Date(start.getTime() + 600_000)),
  failedCalls: fc.nat(5),
  lastFailure: fc.constantFrom(null, 'the connection was closed'),
  instance: fc.record({
    installTask: fc.constant(task),
    restartFrom: fc.constantFrom(null, 'boot-0', 'boot-1', 'none'),
    bootBefore: fc.constantFrom(null, 'agent-0', 'agent-1'),
    recoveries: fc.nat(maxRecoveries),
  }),
  provider,
  agent,
})

/**
 * The simplest world that obeys: calls take effect at once, agents connect and install when their instance runs.
 * Time passes only in waits.
 */
interface Simulation {
  world: World
  trail: readonly ClusterStatus[]
  boots: number
}

function booted(simulation: Simulation): Simulation {
  const boots = simulation.boots + 1
  return {
    ...simulation,
    boots,
    world: {
      ...simulation.world,
      provider: {
        state: 'running',
        address: { host: '127.0.0.1', port: 4000 },
        reason: null,
        incarnation: `boot-${boots}`,
      },
      agent: undefined,
    },
  }
}

/** The world after `step` was carried out. */
function carryOut(simulation: Simulation, step: Step): Simulation {
  const { world: before } = simulation
  switch (step.kind) {
    case 'settled':
      return simulation
    case 'move':
    case 'park': {
      const position: Position = { status: before.status, trail: simulation.trail }
      const outcome = transition(position, step.kind === 'move' ? step.event : 'failed')
      if (isRefused(outcome)) throw new Error(`${before.status} refused ${JSON.stringify(step)}`)
      const isMoving = isTransitioning(outcome.status)
      return {
        ...simulation,
        trail: outcome.trail,
        world: { ...before, status: outcome.status, deadlineAt: isMoving ? before.deadlineAt : null, failedCalls: 0 },
      }
    }
    case 'note':
      return { ...simulation, world: { ...before, instance: { ...before.instance, restartFrom: step.restartFrom } } }
    case 'wait':
      return workOn({ ...simulation, world: { ...before, now: step.until } })
    case 'call': {
      const recoveries = before.instance.recoveries + (step.recovers ? 1 : 0)
      const counted = { ...simulation, world: { ...before, instance: { ...before.instance, recoveries } } }
      const absent = { state: 'absent', address: null, reason: null, incarnation: null } as const
      switch (step.call) {
        case 'destroy':
          return { ...counted, world: { ...counted.world, provider: absent } }
        case 'stop':
          return { ...counted, world: { ...counted.world, provider: { ...absent, state: 'stopped' } } }
        case 'create':
          return before.provider.state === 'absent' ? booted(counted) : counted
        case 'start':
          return before.provider.state === 'running' ? counted : booted(counted)
        case 'restart':
          return before.provider.state === 'running' && before.provider.incarnation !== before.instance.restartFrom
            ? counted
            : booted(counted)
      }
    }
  }
}

/** What provider and agent do by themselves while the reconciler waits. */
function workOn(simulation: Simulation): Simulation {
  const { world: before } = simulation
  const { provider: seen } = before
  if (seen.state === 'queued' || seen.state === 'starting' || seen.state === 'unknown') return booted(simulation)
  if (seen.state !== 'running') return simulation
  const bootId = `${seen.incarnation}/agent`
  const state = before.agent?.bootId === bootId ? 'done' : 'running'
  return {
    ...simulation,
    world: { ...before, agent: { connected: true, bootId, install: { state, taskId: task, reason: null, steps: [] } } },
  }
}

function simulate(begin: World, steps: number): { simulation: Simulation; steps: Step[] } {
  let simulation: Simulation = { world: begin, trail: [], boots: 10 }
  const taken: Step[] = []
  for (let count = 0; count < steps; count += 1) {
    const step = decide(simulation.world)
    taken.push(step)
    if (step.kind === 'settled') break
    simulation = carryOut(simulation, step)
  }
  return { simulation, steps: taken }
}

describe('the reconciler', () => {
  test('brings every world to rest', () => {
    fc.assert(
      fc.property(world, (begin) => {
        const { simulation, steps } = simulate(begin, 40)
        expect(steps.at(-1)).toEqual({ kind: 'settled' })
        expect(isTransitioning(simulation.world.status)).toBe(false)
      }),
      { numRuns: 3000 },
    )
  })

  test('does what was asked unless it says why not', () => {
    const target: { [S in ClusterStatus]?: ClusterStatus } = {
      paid: 'running',
      fetching: 'running',
      queuing: 'running',
      pending: 'running',
      installing: 'running',
      running: 'running',
      starting: 'running',
      restarting: 'running',
      stopping: 'stopped',
      stopped: 'stopped',
      destroying: 'destroyed',
      canceling: 'canceled',
    }
    fc.assert(
      fc.property(world, (begin) => {
        const { simulation, steps } = simulate(begin, 40)
        const parked = steps.find((step) => step.kind === 'park')
        if (parked) expect(parked.reason.length).toBeGreaterThan(10)
        expect(simulation.world.status).toBe(parked ? 'errored' : target[begin.status])
      }),
      { numRuns: 3000 },
    )
  })

  test('never parks a destroy while the provider obeys', () => {
    fc.assert(
      fc.property(world, (begin) => {
        fc.pre(begin.status === 'destroying')
        expect(simulate(begin, 40).simulation.world).toMatchObject({
          status: 'destroyed',
          provider: { state: 'absent' },
        })
      }),
    )
  })

  test('repeating any step changes nothing', () => {
    fc.assert(
      fc.property(world, fc.nat(12), (begin, at) => {
        const { simulation } = simulate(begin, at)
        const step = decide(simulation.world)
        // A crash between doing and noting repeats calls and notes; moves are fenced by the row's revision.
        fc.pre(step.kind === 'call' || step.kind === 'note')
        const once = carryOut(simulation, step)
        const twice = carryOut(once, step)
        expect({ ...twice.world, instance: { ...twice.world.instance, recoveries: 0 } }).toEqual({
          ...once.world,
          instance: { ...once.world.instance, recoveries: 0 },
        })
      }),
      { numRuns: 3000 },
    )
  })

  test('is refused by the status machine never', () => {
    fc.assert(
      fc.property(world, (begin) => {
        const step = decide(begin)
        fc.pre(step.kind === 'move' || step.kind === 'park')
        const outcome = transition({ status: begin.status, trail: [] }, step.kind === 'move' ? step.event : 'failed')
        expect(isRefused(outcome)).toBe(false)
      }),
      { numRuns: 3000 },
    )
  })

  test('takes an unreachable provider neither for failed nor for gone', () => {
    fc.assert(
      fc.property(world, (begin) => {
        const step = decide({ ...begin, provider: { state: 'unknown', reason: 'it does not answer' } })
        expect(['wait', 'settled', 'move', 'park']).toContain(step.kind)
        // What an agent reported stands without the provider.
        if (step.kind === 'park') expect(begin.agent?.install.state).toBe('failed')
        if (step.kind === 'move') expect(['paid', 'pending']).toContain(begin.status)
      }),
      { numRuns: 2000 },
    )
  })

  test('ends in words once the deadline has passed', () => {
    fc.assert(
      fc.property(world, (begin) => {
        fc.pre(isTransitioning(begin.status))
        const step = decide({
          ...begin,
          deadlineAt: start,
          provider: { state: 'unknown', reason: 'it does not answer' },
        })
        if (step.kind === 'park') expect(step.reason.length).toBeGreaterThan(5)
        else expect(step.kind).toBe('move')
      }),
    )
  })

  test('brings back an instance that dies in the middle of an install, a few times', () => {
    const dead: ProviderView = { state: 'failed', address: null, reason: 'Its process ended.', incarnation: null }
    const begin: World = {
      now: start,
      status: 'installing',
      deadlineAt: null,
      failedCalls: 0,
      lastFailure: null,
      instance: { installTask: task, restartFrom: null, bootBefore: null, recoveries: 0 },
      provider: dead,
      agent: undefined,
    }
    expect(decide(begin)).toEqual({ kind: 'call', call: 'start', recovers: true })
    const often = { ...begin, instance: { ...begin.instance, recoveries: maxRecoveries } }
    expect(decide(often)).toEqual({ kind: 'park', reason: 'The instance ended 4 times in a row. Its process ended.' })
  })

  test('a failed install is told in the agent’s words', () => {
    const begin: World = {
      now: start,
      status: 'installing',
      deadlineAt: null,
      failedCalls: 0,
      lastFailure: null,
      instance: { installTask: task, restartFrom: null, bootBefore: null, recoveries: 0 },
      provider: { state: 'running', address: null, reason: null, incarnation: 'boot-1' },
      agent: {
        connected: true,
        bootId: 'a',
        install: { state: 'failed', taskId: task, reason: 'fetch: the disk is full', steps: [] },
      },
    }
    expect(decide(begin)).toEqual({ kind: 'park', reason: 'fetch: the disk is full' })
  })

  test('waits longer after each failure, but not for ever', () => {
    expect([1, 2, 3, 7, 50].map(backoffMs)).toEqual([500, 1000, 2000, 30_000, 30_000])
  })
})
