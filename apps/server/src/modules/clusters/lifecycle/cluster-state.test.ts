import { type ClusterStatus, clusterActions, clusterStatuses, statusTable } from '@atoll/contract/clusters'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ActionFacts, eventOf, type MoveAction, offerOfCluster } from './action-refusals.ts'
import {
  clusterEvents,
  isAwaitingHost,
  isEnded,
  isRefused,
  isRemoval,
  isTransitioning,
  type Position,
  servedStatus,
  shownInstanceStatuses,
  shownStatus,
  statusStr,
  transition,
  transitions,
} from './cluster-state.ts'

const event = fc.constantFrom(...clusterEvents)
const besideMoves = ['activate', 'addWorker', 'giveUp', 'takeBack', 'replaceMachine']
const moveActions = clusterActions.filter(
  (action): action is Exclude<MoveAction, 'destroyWorker' | 'cancelInstance'> => !besideMoves.includes(action),
)
const actionsOf = (position: Position, known: ActionFacts) => offerOfCluster(position, known, 'en-US').actions
const facts: fc.Arbitrary<ActionFacts> = fc.record({
  clusterType: fc.constantFrom('Cloud', 'SelfHost'),
  isOwner: fc.boolean(),
  missing: fc.boolean(),
  addressTaken: fc.boolean(),
  osActive: fc.boolean(),
  hasPassword: fc.boolean(),
  workerCount: fc.nat(3),
  maxWorkers: fc.nat(3),
})

/** Where a cluster can be after any history: orders start unpaid, hosts offline, free orders fetching. */
const reachable: fc.Arbitrary<Position> = fc
  .tuple(fc.constantFrom<ClusterStatus>('unpaid', 'fetching', 'offline'), fc.array(event, { maxLength: 40 }))
  .map(([status, events]) =>
    events.reduce<Position>(
      (position, next) => {
        const outcome = transition(position, next)
        return isRefused(outcome) ? position : outcome
      },
      { status, resume_stack: [] },
    ),
  )

/**
 * Every position that events lead to, from a start; resumeStacks are bounded because each interruption is entered
 * once.
 */
function positionsFrom(start: Position): Map<string, Position> {
  const seen = new Map([[JSON.stringify(start), start]])
  const open = [start]
  for (let position = open.pop(); position; position = open.pop()) {
    for (const next of clusterEvents) {
      const outcome = transition(position, next)
      if (isRefused(outcome) || seen.has(JSON.stringify(outcome))) continue
      seen.set(JSON.stringify(outcome), outcome)
      open.push(outcome)
    }
  }
  return seen
}

describe('the status machine', () => {
  test('has a row for every status of the contract', () => {
    expect(Object.keys(transitions).sort()).toEqual([...clusterStatuses].sort())
  })

  test('answers every event on every status with a status or a typed refusal', () => {
    fc.assert(
      fc.property(fc.constantFrom(...clusterStatuses), event, (status, next) => {
        const outcome = transition({ status, resume_stack: [] }, next)
        if (isRefused(outcome)) expect(outcome).toEqual({ refused: next, status })
        else expect(statusTable).toHaveProperty(outcome.status)
      }),
    )
  })

  test('is left by no way only from destroyed and canceled', () => {
    const ends = clusterStatuses.filter((status) => Object.keys(transitions[status]).length === 0)
    expect(ends.sort()).toEqual(['canceled', 'destroyed'])
  })

  test('reaches destroyed from every living position', () => {
    fc.assert(
      fc.property(reachable, (position) => {
        fc.pre(!isEnded(position.status))
        const ends = [...positionsFrom(position).values()].map((end) => end.status)
        expect(ends.includes('destroyed') || ends.includes('canceled')).toBe(true)
        if (position.status !== 'canceling') expect(ends).toContain('destroyed')
      }),
      { numRuns: 60 },
    )
  })

  test('reaches every stored status by some history', () => {
    const seen = new Set<ClusterStatus>()
    for (const status of ['unpaid', 'fetching', 'offline'] as const) {
      for (const position of positionsFrom({ status, resume_stack: [] }).values()) seen.add(position.status)
    }
    // `inactivated` is only ever shown.
    expect(clusterStatuses.filter((status) => !seen.has(status))).toEqual(['inactivated'])
  })

  test('always knows the way back from an interruption', () => {
    fc.assert(
      fc.property(reachable, (position) => {
        const back = { errored: 'retry', destroy_to_be_confirmed: 'keep', waiting_destroy: 'overdueSettled' } as const
        const way = back[position.status as keyof typeof back]
        fc.pre(way !== undefined)
        const outcome = transition(position, way)
        // A cluster that ran was stopped for its bill, so it boots again.
        const boots = way === 'overdueSettled' && position.resume_stack.at(-1) === 'running'
        expect(outcome).toEqual({
          status: boots ? 'starting' : position.resume_stack.at(-1),
          resume_stack: position.resume_stack.slice(0, -1),
        })
      }),
      { numRuns: 2000 },
    )
  })

  test('retries into what failed: on its way somewhere, or an instance that was complete and had vanished', () => {
    fc.assert(
      fc.property(reachable, (position) => {
        fc.pre(position.status === 'errored')
        const outcome = transition(position, 'retry')
        const complete: ClusterStatus[] = ['running', 'stopped', 'offline']
        expect(!isRefused(outcome) && (isTransitioning(outcome.status) || complete.includes(outcome.status))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('shows exactly the moves it accepts', () => {
    fc.assert(
      fc.property(reachable, facts, (position, known) => {
        const shown = actionsOf(position, known)
        const isOwn = known.clusterType === 'SelfHost'
        for (const action of moveActions) {
          // Hosts are neither switched on or off nor created again from here.
          if (isOwn && (action === 'start' || action === 'stop' || action === 'repair')) {
            expect(shown).not.toContain(action)
            continue
          }
          const accepts = !isRefused(transition(position, eventOf(action)))
          expect(shown.includes(action)).toBe(accepts && (action !== 'repair' || known.missing))
        }
      }),
    )
  })

  test('offers another machine for a self-hosted one that joined, and for nothing else', () => {
    fc.assert(
      fc.property(reachable, facts, (position, known) => {
        const isOffered = actionsOf(position, known).includes('replaceMachine')
        const accepts = !isRefused(transition(position, 'machineReplaced'))
        expect(isOffered).toBe(known.clusterType === 'SelfHost' && accepts && !isAwaitingHost(position))
        if (accepts) expect(transition(position, 'machineReplaced')).toMatchObject({ status: 'destroyed' })
        expect(actionsOf({ ...position, given_up: true }, known)).not.toContain('replaceMachine')
      }),
    )
  })

  test('offers nothing on what has ended, and a way out of everything that is not moving', () => {
    fc.assert(
      fc.property(reachable, facts, (position, known) => {
        const shown = actionsOf(position, known)
        if (isEnded(position.status)) expect(shown).toEqual([])
        else if (!isTransitioning(position.status)) {
          expect(shown.includes('destroyMaster') || shown.includes('cancelUnpaid')).toBe(true)
        }
      }),
    )
  })
})

describe('a machine that was given up', () => {
  const givenUp = (position: Position): Position => ({ ...position, given_up: true })

  test('can be given up exactly where it failed or is silent, once', () => {
    fc.assert(
      fc.property(reachable, facts, (position, known) => {
        const may = position.status === 'errored' || position.status === 'offline'
        expect(actionsOf(position, known).includes('giveUp')).toBe(may)
        expect(actionsOf(givenUp(position), known)).not.toContain('giveUp')
        expect(actionsOf(position, known)).not.toContain('takeBack')
      }),
    )
  })

  test('lets a person destroy it or keep it, and take it back while its address is free: nothing else', () => {
    fc.assert(
      fc.property(reachable, facts, (position, known) => {
        fc.pre(position.status === 'errored' || position.status === 'offline')
        // As it is, and while its destruction waits to be confirmed, or its bill to be paid.
        for (const event of [undefined, 'askDestroy', 'overdue'] as const) {
          const outcome = event ? transition(givenUp(position), event) : position
          if (isRefused(outcome)) throw new Error(`${event} is refused`)
          const left = ['destroyMaster', ...(event === 'askDestroy' ? ['keep'] : [])]
          const removes = isRemoval(outcome.resume_stack.at(-1)) && outcome.status === 'errored'
          const expected = [...left, ...(removes ? ['retry'] : []), ...(known.addressTaken ? [] : ['takeBack'])]
          expect(actionsOf(givenUp(outcome), known).sort()).toEqual(expected.sort())
        }
      }),
    )
  })

  test('stays in its status, or goes: whatever happens, it never serves again', () => {
    fc.assert(
      fc.property(reachable, (position) => {
        fc.pre(position.status === 'errored' || position.status === 'offline')
        for (const next of clusterEvents) {
          const outcome = transition(givenUp(position), next)
          if (isRefused(outcome)) continue
          expect(['destroy_to_be_confirmed', 'waiting_destroy', 'destroying', 'canceling']).toContain(outcome.status)
        }
        expect(isRefused(transition(givenUp(position), 'reported'))).toBe(true)
        expect(isRefused(transition(givenUp(position), 'recovered'))).toBe(true)
      }),
    )
  })

  test('is destroyed from wherever it stands', () => {
    fc.assert(
      fc.property(reachable, (position) => {
        fc.pre(position.status === 'errored' || position.status === 'offline')
        const destroying = transition(givenUp(position), 'destroy')
        expect(destroying).toEqual({ status: 'destroying', resume_stack: [] })
        expect(transition({ status: 'destroying', resume_stack: [], given_up: true }, 'removed')).toEqual({
          status: 'destroyed',
          resume_stack: [],
        })
      }),
    )
  })
})

describe('what is shown', () => {
  test('running without an active OS is inactivated, nothing else is', () => {
    for (const status of clusterStatuses) {
      expect(shownStatus(status, true)).toBe(status)
      expect(shownStatus(status, false)).toBe(status === 'running' ? 'inactivated' : status)
    }
  })

  test('only the first running instance is inactivated, and only while a password exists', () => {
    const statuses: ClusterStatus[] = ['stopped', 'running', 'running']
    expect(shownInstanceStatuses(statuses, true)).toEqual(['stopped', 'inactivated', 'running'])
    expect(shownInstanceStatuses(statuses, false)).toEqual(statuses)
    expect(shownInstanceStatuses(['errored'], true)).toEqual(['errored'])
  })

  test('visitors are served while the owner is asked, as they were before', () => {
    const asked = (status: ClusterStatus) => servedStatus({ status: 'destroy_to_be_confirmed', resume_stack: [status] })
    expect([asked('running'), asked('stopped'), asked('waiting_destroy')]).toEqual([
      'running',
      'stopped',
      'waiting_destroy',
    ])
    expect(servedStatus({ status: 'waiting_destroy', resume_stack: ['running'] })).toBe('waiting_destroy')
  })

  test('activation is offered only while it can be done', () => {
    const known: ActionFacts = {
      clusterType: 'Cloud',
      isOwner: true,
      missing: false,
      addressTaken: false,
      osActive: false,
      hasPassword: true,
      workerCount: 0,
      maxWorkers: 0,
    }
    const at = { status: 'running', resume_stack: [] } as const
    expect(actionsOf(at, known)).toContain('activate')
    expect(actionsOf(at, { ...known, osActive: true })).not.toContain('activate')
    expect(actionsOf(at, { ...known, hasPassword: false })).not.toContain('activate')
    expect(actionsOf({ status: 'stopped', resume_stack: [] }, known)).not.toContain('activate')
  })

  test('only its owner activates a cluster', () => {
    const known: ActionFacts = {
      clusterType: 'Cloud',
      isOwner: false,
      missing: false,
      addressTaken: false,
      osActive: false,
      hasPassword: true,
      workerCount: 0,
      maxWorkers: 4,
    }
    const offer = offerOfCluster({ status: 'running', resume_stack: [] }, known, 'en-US')
    expect(offer.actions).toEqual(expect.arrayContaining(['stop', 'restart', 'destroyMaster', 'addWorker']))
    expect(offer.refusals.activate).toBe('Only its owner can do that.')
  })

  test('a retry that knows no failed step is refused', () => {
    expect(transition({ status: 'errored', resume_stack: [] }, 'retry')).toEqual({
      refused: 'retry',
      status: 'errored',
    })
  })

  test('statusStr is the English label', () => {
    expect(statusStr('pending')).toBe('OS pending')
    expect(statusStr('inactivated')).toBe('Pending activation')
  })
})
