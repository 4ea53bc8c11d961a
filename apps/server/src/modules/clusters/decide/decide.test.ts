import type { InstallState } from '@atoll/contract/agents'
import type { ClusterStatus } from '@atoll/contract/clusters'
import { locales } from '@atoll/contract/wire'
import { reasonText } from '@atoll/texts/reasons'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRefused, isTransitioning, transition } from '../lifecycle/cluster-state.ts'
import { carryOut, facts, simulate, start, task, unanswered } from '../testing/decided-facts.ts'
import { decide } from './decide.ts'
import {
  callBackoffMs,
  type Facts,
  longRecheckMs,
  maxMoveTries,
  maxRecoveries,
  moveReserveMs,
  partingMs,
  removalRetryMs,
  restBackoffMs,
} from './facts.ts'
import { moneyEvents } from './money.ts'

const stopsAndStarts = ['destroy', 'stop', 'start', 'allocated'] as const
const unpaid = { status: 'unpaid', resume_stack: [], workers: [] } as const satisfies Partial<Facts>

/** Whether it is, or interrupted, what is errored. */
const wasErrored = ({ status, resume_stack }: Facts) => [status, ...resume_stack].includes('errored')
const wasOffline = ({ status, resume_stack }: Facts) => [status, ...resume_stack].includes('offline')

describe('the reconciler', () => {
  test('brings every world to rest', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        const { simulation, steps } = simulate(begin, 60)
        expect(steps.at(-1)).toEqual({ kind: 'settled' })
        expect(isTransitioning(simulation.facts.status)).toBe(false)
      }),
      { numRuns: 5000 },
    )
  })

  test('does what is desired unless it says why not', () => {
    const rest = { running: 'running', stopped: 'stopped', destroyed: 'destroyed' } as const
    fc.assert(
      fc.property(facts, (known) => {
        const begin: Facts = { ...known, standing: 'clear' }
        const { simulation, steps } = simulate(begin, 60)
        const { status, desired } = simulation.facts
        const gaveUp = steps.find((step) => step.kind === 'park')
        if (gaveUp) for (const locale of locales) expect(reasonText(gaveUp.reason, locale).length).toBeGreaterThan(5)
        // An instance given up before stays so until a person acts; the desired state of a destroyed one cannot change.
        const wasOver = wasErrored(begin) || begin.status === 'destroyed' || begin.status === 'canceled'
        if (status === 'errored' || status === 'offline') expect(gaveUp || wasOver || wasOffline(begin)).toBeTruthy()
        else if (status === 'restore_error') expect(begin.restore?.state).toBe('refused')
        else if (status === 'canceled' || status === 'destroyed') expect(desired === 'destroyed' || wasOver).toBe(true)
        else expect(status).toBe(rest[desired])
      }),
      { numRuns: 5000 },
    )
  })

  test('a removal ends while the provider obeys, from wherever it was desired', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        const { simulation } = simulate({ ...begin, desired: 'destroyed' }, 60)
        expect(['destroyed', 'canceled']).toContain(simulation.facts.status)
        // An order that is taken back has nothing there.
        if (simulation.facts.status !== begin.status && begin.status !== 'unpaid') {
          expect(['absent', 'unreachable']).toContain(simulation.facts.provider.state)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('repeating any step changes nothing', () => {
    fc.assert(
      fc.property(facts, fc.nat(12), (begin, at) => {
        const { simulation } = simulate(begin, at)
        const step = decide(simulation.facts)
        // A crash between doing and noting repeats calls and notes; moves are fenced by the row's revision.
        fc.pre(step.kind === 'call' || step.kind === 'note')
        const once = carryOut(simulation, step)
        const twice = carryOut(once, step)
        expect({ ...twice.facts, instance: { ...twice.facts.instance, recoveries: 0 } }).toEqual({
          ...once.facts,
          instance: { ...once.facts.instance, recoveries: 0 },
        })
      }),
      { numRuns: 3000 },
    )
  })

  test('moves what restarts or is stopped, boots only what ran, and leaves no move open', () => {
    const at = fc.constantFrom<ClusterStatus>('restarting', 'stopped')
    fc.assert(
      fc.property(facts, at, (known, status) => {
        const desired = status === 'stopped' ? 'stopped' : 'running'
        const instance = { ...known.instance, moveTo: 'there', restartFrom: null }
        const rest = { resume_stack: [], standing: 'clear', workers: [], failedCalls: 0 } as const
        const begin: Facts = { ...known, ...rest, status, desired, instance }
        fc.pre(!['absent', 'unreachable', 'unknown'].includes(begin.provider.state))
        const { simulation, steps } = simulate(begin, 60)
        const end = simulation.facts
        expect(end.status).toBe(desired)
        expect(end.instance.moveTo).toBeNull()
        expect(end.provider).toMatchObject({ state: desired, location: 'there' })
        const moves = steps.filter((step) => step.kind === 'call' && step.call === 'move')
        expect(moves).toHaveLength(1)
      }),
      { numRuns: 2000 },
    )
  })

  test('gives up the move rather than its instance', () => {
    const provider = { state: 'failed', reason: null, incarnation: null, location: 'here' } as const
    const instance = { ...installing.instance, moveTo: 'there', restartFrom: 'boot-1' }
    const moving: Facts = { ...installing, status: 'restarting', provider, instance }
    expect(decide(moving)).toEqual({ kind: 'call', call: 'move', recovers: false })
    const over = { kind: 'placed', isMoved: false }
    expect(decide({ ...moving, failedCalls: maxMoveTries })).toEqual(over)
    expect(decide({ ...moving, deadlineAt: new Date(start.getTime() + moveReserveMs) })).toEqual(over)
    expect(
      decide({ ...moving, status: 'stopped', desired: 'stopped', provider: { ...provider, state: 'unreachable' } }),
    ).toEqual(over)
    const isCopied = { ...provider, state: 'starting' } as const
    expect(decide({ ...moving, provider: isCopied }).kind).toBe('wait')
    const given = { ...moving, instance: { ...instance, moveTo: null } }
    expect(decide(given)).toMatchObject({ kind: 'call', call: 'start' })
  })

  test('is refused by the status machine never', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        const step = decide(begin)
        fc.pre(step.kind === 'move' || step.kind === 'park')
        expect(isRefused(transition(begin, step.event))).toBe(false)
      }),
      { numRuns: 3000 },
    )
  })

  test('follows a restore: a refused password waits for another one, and nothing is restarted', () => {
    const agent = { connected: true, lastSeenAt: start, bootId: 'agent-1' }
    const provider = { state: 'running', reason: null, incarnation: 'boot-1' } as const
    const install = { state: 'running' as const, taskId: task, reason: null, steps: [] }
    const reason = { key: 'backupPasswordWrong' } as const
    const restoring: Facts = { ...installing, status: 'restoring', provider, agent: { ...agent, install } }
    const made = (status: ClusterStatus, state: 'open' | 'refused' | 'done' | 'failed') =>
      decide({ ...restoring, status, restore: { state, reason } })
    expect(made('pending', 'open')).toEqual({ kind: 'move', event: 'restoreBegun' })
    expect(made('restoring', 'open').kind).toBe('wait')
    expect(made('restoring', 'refused')).toEqual({ kind: 'park', event: 'passwordRefused', reason })
    expect(made('restore_error', 'refused')).toEqual({ kind: 'settled' })
    expect(made('restore_error', 'open')).toEqual({ kind: 'move', event: 'givePassword' })
    expect(made('restoring', 'failed')).toEqual({ kind: 'park', event: 'failed', reason })
    // The files are there, and the steps after them are not yet.
    expect(made('restoring', 'done').kind).toBe('wait')
    const done = { ...restoring, agent: { ...agent, install: { ...install, state: 'done' as const } } }
    expect(decide({ ...done, restore: { state: 'done', reason: null } })).toEqual({ kind: 'move', event: 'restored' })
  })

  test('takes an unreachable provider neither for failed nor for gone', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        const step = decide({ ...begin, provider: unanswered })
        expect(step.kind).not.toBe('call')
        expect(step.kind).not.toBe('observed')
        // A failure that the agent reported does not depend on the provider.
        if (step.kind === 'park' && begin.status !== 'restoring')
          expect([begin.status, begin.agent?.install.state]).toEqual(['installing', 'failed'])
        // A desired state is recorded at once, and carried out when the provider answers again.
        if (step.kind === 'move')
          expect(['installBegun', 'restoreBegun', 'givePassword', ...stopsAndStarts, ...moneyEvents]).toContain(
            step.event,
          )
      }),
      { numRuns: 3000 },
    )
  })

  test('ends in words once the deadline has passed', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        fc.pre(isTransitioning(begin.status))
        const step = decide({ ...begin, deadlineAt: start, provider: unanswered })
        if (step.kind === 'park') expect(reasonText(step.reason, 'en-US').length).toBeGreaterThan(5)
        else expect(['move', 'drained']).toContain(step.kind)
      }),
    )
  })

  test('has nothing made for an order that waits to be paid, whatever is wanted of its cluster', () => {
    fc.assert(
      fc.property(facts, (known) => {
        const { simulation, steps } = simulate({ ...known, ...unpaid, standing: 'unpaid' }, 60)
        expect(steps.some(({ kind }) => kind === 'call')).toBe(false)
        expect(simulation.facts.status).toBe(known.desired === 'destroyed' ? 'canceled' : 'unpaid')
        expect(simulate({ ...known, ...unpaid, standing: 'lapsed' }, 60).simulation.facts.status).toBe('canceled')
      }),
    )
  })

  test('brings nothing back that was given up; it is stopped for its bill, or removed, and the rest is left', () => {
    fc.assert(
      fc.property(facts, (known) => {
        const given: Facts = { ...known, given_up: true }
        const { steps, simulation } = simulate(given, 60)
        for (const step of steps) {
          if (step.kind === 'call') expect(['stop', 'destroy']).toContain(step.call)
          if (step.kind === 'move') expect(['reported', 'recovered', 'start', 'installed']).not.toContain(step.event)
        }
        if (given.desired === 'destroyed' && given.status !== 'canceling') return
        if (simulation.facts.status === 'running') expect(given.status).toBe('running')
      }),
    )
  })

  test('stops what is overdue and destroys nothing of it; settled, it is where it was', () => {
    const atRest = fc.constantFrom('running', 'stopped')
    fc.assert(
      fc.property(facts, atRest, (known, status) => {
        const desired = status === 'running' ? 'running' : 'stopped'
        const provider = { state: status, reason: null, incarnation: 'boot-1' } as const
        const drainless = { ...known.instance, drainTask: null, missing: false, recoveries: 0 }
        const begin: Facts = { ...known, status, desired, provider, resume_stack: [], instance: drainless, workers: [] }
        const overdue = simulate({ ...begin, standing: 'overdue' }, 60)
        expect(overdue.simulation.facts).toMatchObject({ status: 'waiting_destroy', provider: { state: 'stopped' } })
        const calls = overdue.steps.flatMap((step) => (step.kind === 'call' ? step.call : []))
        expect(calls).toEqual(status === 'running' ? ['stop'] : [])
        const settled = simulate({ ...overdue.simulation.facts, standing: 'clear' }, 60)
        expect(settled.simulation.facts).toMatchObject({ status, provider: { state: status } })
        const over = simulate({ ...overdue.simulation.facts, standing: 'graceOver' }, 60)
        expect(over.simulation.facts).toMatchObject({ status: 'destroyed', provider: { state: 'absent' } })
      }),
    )
  })

  const installing: Facts = {
    now: start,
    role: 'master',
    selfHosted: false,
    status: 'installing',
    resume_stack: [],
    given_up: false,
    desired: 'running',
    standing: 'clear',
    changedAt: start,
    restore: undefined,
    deadlineAt: null,
    failedCalls: 0,
    lastFailure: null,
    instance: {
      installTask: task,
      restartFrom: null,
      moveTo: null,
      previousBootId: null,
      recoveries: 0,
      missing: false,
      drainTask: null,
      isDrained: false,
      drainUntil: null,
    },
    provider: { state: 'running', reason: null, incarnation: 'boot-1' },
    agent: undefined,
    workers: [],
  }

  test('brings back an instance that dies in the middle of an install, a few times', () => {
    const dead = {
      ...installing,
      provider: { state: 'failed', reason: 'Its process ended.', incarnation: null } as const,
    }
    expect(decide(dead)).toEqual({ kind: 'call', call: 'start', recovers: true })
    const often = decide({ ...dead, instance: { ...dead.instance, recoveries: maxRecoveries } })
    expect(often.kind === 'park' && reasonText(often.reason, 'en-US')).toBe(
      'The instance ended 4 times in a row. Its process ended.',
    )
  })

  test('a failed install is reported in the agent’s words', () => {
    const failed: InstallState = { state: 'failed', taskId: task, reason: 'fetch: the disk is full', steps: [] }
    const agent = { connected: true, lastSeenAt: start, bootId: 'a', install: failed }
    const step = decide({ ...installing, agent })
    expect(step.kind === 'park' && reasonText(step.reason, 'en-US')).toBe('The install failed: fetch: the disk is full')
  })

  test('a worker follows its cluster, and what failed is not driven on', () => {
    const worker = { ...installing, role: 'worker', status: 'running' } as const
    expect(decide({ ...worker, desired: 'stopped' })).toEqual({ kind: 'move', event: 'stop' })
    expect(decide({ ...worker, status: 'stopped' })).toEqual({ kind: 'move', event: 'start' })
    expect(decide({ ...worker, desired: 'destroyed' })).toEqual({ kind: 'move', event: 'destroy' })
    expect(decide({ ...worker, status: 'errored', resume_stack: ['installing'] })).toEqual({ kind: 'settled' })
  })

  test('what the provider lacks is said at once, and taken up again when it comes back', () => {
    const running = { ...installing, status: 'running' } as const
    const nothing = { state: 'absent', reason: null, incarnation: null } as const
    expect(decide({ ...running, provider: nothing })).toMatchObject({ event: 'vanished', reason: { key: 'gone' } })
    const lost = { ...nothing, state: 'unreachable', location: 'n3' } as const
    const reason = { key: 'hostLost', params: { host: 'n3' } }
    expect(decide({ ...running, provider: lost })).toMatchObject({ event: 'silenced', reason })
    const offline = { ...running, status: 'offline', instance: { ...running.instance, missing: true } } as const
    expect(decide({ ...offline, provider: lost })).toEqual({ kind: 'settled' })
    expect(decide(offline)).toEqual({ kind: 'observed', missing: false })
    expect(decide({ ...offline, instance: running.instance })).toEqual({ kind: 'move', event: 'reported' })
  })

  test('an instance that runs though its agent has just gone may be ending, and is read again', () => {
    const done: InstallState = { state: 'done', taskId: task, reason: null, steps: [] }
    const agent = { connected: false, lastSeenAt: start, bootId: 'a', install: done }
    const parted = { ...installing, status: 'running', agent } as const
    expect(decide(parted)).toEqual({ kind: 'wait', until: new Date(start.getTime() + longRecheckMs), because: null })
    expect(decide({ ...parted, now: new Date(start.getTime() + partingMs) })).toEqual({ kind: 'settled' })
    expect(decide({ ...parted, agent: { ...agent, connected: true } })).toEqual({ kind: 'settled' })
  })

  test('a removal that was given up is tried again after a while, or at once when it took effect late', () => {
    const parked = { ...installing, status: 'errored', resume_stack: ['destroying'], desired: 'destroyed' } as const
    const due = new Date(start.getTime() + removalRetryMs)
    expect(decide(parked)).toEqual({ kind: 'wait', until: due, because: null })
    expect(decide({ ...parked, now: due })).toEqual({ kind: 'move', event: 'retry' })
    const gone = { ...parked, provider: { state: 'absent', reason: null, incarnation: null } as const }
    expect(decide(gone)).toEqual({ kind: 'move', event: 'retry' })
  })

  test('a cluster is stopped when the workers that follow it are', () => {
    const stopping = { ...installing, status: 'stopping', desired: 'stopped' } as const
    const stopped = { ...stopping, provider: { state: 'stopped', reason: null, incarnation: null } as const }
    const follower = { status: 'stopping', desired: 'stopped' } as const
    expect(decide({ ...stopped, workers: [follower] })).toMatchObject({ because: { key: 'workersMoving' } })
    expect(decide({ ...stopped, workers: [{ ...follower, status: 'stopped' }] })).toEqual({
      kind: 'move',
      event: 'stopped',
    })
    // The master alone was stopped.
    expect(decide({ ...stopped, workers: [{ status: 'running', desired: 'running' }] })).toEqual({
      kind: 'move',
      event: 'stopped',
    })
  })

  test('an instance at rest that cannot be seen is read again, and never given up', () => {
    for (const status of ['running', 'stopped'] as const) {
      const desired = status
      const step = decide({ ...installing, status, desired, deadlineAt: start, failedCalls: 3, provider: unanswered })
      expect(step).toMatchObject({ kind: 'wait' })
    }
  })

  test('waits longer after each failure, but not for ever', () => {
    expect([1, 2, 3, 7, 50].map(callBackoffMs)).toEqual([500, 1000, 2000, 30_000, 30_000])
    expect([1, 2, 50].map(restBackoffMs)).toEqual([500, 1000, 300_000])
  })
})
