import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MemberRoom, Size } from '../capacity/choose-members.ts'
import { type DrainedInstance, type DrainFacts, decideDrain } from './decide-drain.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 27, 1) + minutes * 60_000)
const one: Size = { cpu: 1, memory: 1, disk: 1 }
const size = fc.record({ cpu: fc.integer({ min: 1, max: 8 }), memory: fc.nat(8), disk: fc.nat(8) })
const instances = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    size,
    state: fc.constantFrom<DrainedInstance['state']>('ready', 'ready', 'ready', 'busy', 'fixed'),
    wasTried: fc.constant(false),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
)
const rooms = fc.uniqueArray(
  fc.record({
    member: fc.constantFrom('m1', 'm2', 'm3'),
    accepts: fc.boolean(),
    total: fc.record({ cpu: fc.nat(30), memory: fc.nat(30), disk: fc.nat(30) }),
    sold: fc.record({ cpu: fc.nat(9), memory: fc.nat(9), disk: fc.nat(9) }),
  }),
  { selector: ({ member }) => member },
)
const begun: fc.Arbitrary<DrainFacts> = fc.record({
  now: fc.constant(at(-60)),
  isTold: fc.constant(false),
  beginsAt: fc.constant(at(0)),
  endsAt: fc.integer({ min: 1, max: 60 }).map(at),
  instances,
  rooms,
  isLimited: fc.constant(true),
})

interface World {
  facts: DrainFacts
  /** Instances whose move does not succeed. */
  failing: ReadonlySet<string>
  moved: { id: string; size: Size; to: string; minute: number }[]
}

/** Every minute a step, as the job; a move takes one minute, and then is where it went or still here. */
function drain(world: World): { world: World; ended: string } {
  let { facts } = world
  for (let minute = -60; minute < 120; minute += 1) {
    facts = { ...facts, now: at(minute) }
    const moving = facts.instances.find(({ state }) => state === 'moving')
    const step = decideDrain(facts)
    if (step.do === 'end') return { world: { ...world, facts }, ended: step.state }
    if (step.do === 'tell') facts = { ...facts, isTold: true }
    if (step.do === 'move') {
      const found = facts.instances.find(({ id }) => id === step.instanceId)
      if (!found || moving || !facts.isTold)
        throw new Error('moved what is not here, before it was told, or two at once')
      world.moved.push({ id: found.id, size: found.size, to: step.member, minute })
      facts = { ...facts, instances: withState(facts, found.id, 'moving') }
    } else if (moving) {
      facts = world.failing.has(moving.id)
        ? { ...facts, instances: withState(facts, moving.id, 'ready') }
        : arrive(facts, moving, world.moved.at(-1)?.to ?? '')
    }
  }
  return { world: { ...world, facts }, ended: 'never' }
}

function withState({ instances: all }: DrainFacts, id: string, state: DrainedInstance['state']): DrainedInstance[] {
  return all.map((each) => (each.id === id ? { ...each, state, wasTried: true } : each))
}

function arrive(facts: DrainFacts, { id, size: its }: DrainedInstance, to: string): DrainFacts {
  const sold = (room: MemberRoom): Size => ({
    cpu: room.sold.cpu + its.cpu,
    memory: room.sold.memory + its.memory,
    disk: room.sold.disk + its.disk,
  })
  return {
    ...facts,
    instances: facts.instances.filter((each) => each.id !== id),
    rooms: facts.rooms.map((room) => (room.member === to ? { ...room, sold: sold(room) } : room)),
  }
}

describe('a drain, for any instances on the member and any room beside it', () => {
  test('ends, moves within its window only, one at a time, each once, and sells no member beyond its limits', () => {
    fc.assert(
      fc.property(begun, fc.func(fc.boolean()), (facts, fails) => {
        const failing = new Set(facts.instances.filter(({ id }) => fails(id)).map(({ id }) => id))
        const { world, ended } = drain({ facts, failing, moved: [] })
        expect(ended).not.toBe('never')
        expect(new Set(world.moved.map(({ id }) => id)).size).toBe(world.moved.length)
        for (const { minute } of world.moved) {
          expect(minute).toBeGreaterThanOrEqual(0)
          expect(at(minute).getTime()).toBeLessThan(facts.endsAt.getTime())
        }
        for (const room of world.facts.rooms) {
          const before = facts.rooms.find(({ member }) => member === room.member)
          const resources = ['cpu', 'memory', 'disk'] as const
          for (const each of resources)
            expect(room.sold[each]).toBeLessThanOrEqual(Math.max(room.total[each], before?.sold[each] ?? 0))
          if (!room.accepts) expect(room.sold).toEqual(before?.sold)
        }
        const here = world.facts.instances
        if (ended === 'done') expect(here).toEqual([])
        // Only the end of the window leaves one behind that could move and has room.
        if (ended !== 'over') expect(decideDrain({ ...world.facts, now: at(0), endsAt: at(1) }).do).not.toBe('move')
        if (ended === 'left') expect(here.every(({ state, wasTried }) => state === 'fixed' || wasTried)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('takes the instance with most on the disk that fits, where most is left, and waits for one that is busy', () => {
    const base = { now: at(1), isTold: true, beginsAt: at(0), endsAt: at(9), isLimited: true }
    const room = (member: string, disk: number, sold: number): MemberRoom => ({
      member,
      accepts: true,
      total: { cpu: 9, memory: 9, disk },
      sold: { cpu: 0, memory: 0, disk: sold },
    })
    const ready = (id: string, disk: number, state: DrainedInstance['state'] = 'ready'): DrainedInstance => ({
      id,
      size: { ...one, disk },
      state,
      wasTried: false,
    })
    const facts = {
      ...base,
      instances: [ready('big', 9), ready('small', 2)],
      rooms: [room('a', 6, 3), room('b', 6, 2)],
    }
    expect(decideDrain(facts)).toEqual({ do: 'move', instanceId: 'small', member: 'b' })
    expect(decideDrain({ ...facts, instances: [ready('big', 9)] })).toEqual({ do: 'end', state: 'noRoom' })
    expect(decideDrain({ ...facts, instances: [ready('big', 9), ready('x', 1, 'busy')] })).toEqual({ do: 'wait' })
    // Without limits, what is left decides where and not whether.
    expect(decideDrain({ ...facts, isLimited: false })).toEqual({ do: 'move', instanceId: 'big', member: 'b' })
  })
})
