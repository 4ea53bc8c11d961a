import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignWaves, decideRollout, type Facts, type Step, type Target, waveNames } from './decide.ts'

const dayMs = 24 * 3_600_000
const at = (hours: number) => new Date(Date.UTC(2026, 10, 1) + hours * 3_600_000)
const target = (more: Partial<Target> & { instanceId: string }): Target => ({
  clusterId: `cl_${more.instanceId}`,
  wave: 0,
  state: 'waiting',
  isConnected: true,
  seenAt: null,
  runs: '1',
  mayUpdate: true,
  notBefore: null,
  changedAt: at(0),
  ...more,
})
const facts = (targets: Target[], more: Partial<Facts> = {}): Facts => ({
  version: '2',
  state: 'running',
  wave: 0,
  waveAt: at(0),
  faultAt: null,
  isOffered: true,
  targets,
  ...more,
})
const decide = (one: Facts, hours = 0) => decideRollout(one, { now: at(hours), waveMs: dayMs })

describe('a wave', () => {
  it('asks those of this wave and of earlier ones that can be reached', () => {
    const targets = [
      target({ instanceId: 'a' }),
      target({ instanceId: 'later', wave: 1 }),
      target({ instanceId: 'offline', isConnected: false }),
      target({ instanceId: 'put off', notBefore: at(48) }),
      target({ instanceId: 'old', mayUpdate: false }),
      target({ instanceId: 'done', runs: '2' }),
    ]
    expect(decide(facts(targets))).toEqual([
      { do: 'settle', instanceIds: ['done'] },
      { do: 'ask', instanceIds: ['a'] },
    ])
    expect(decide(facts(targets, { wave: 1 }), 50).at(-1)).toEqual({
      do: 'ask',
      instanceIds: ['a', 'later', 'put off'],
    })
  })

  it('ends a day after it began or after its last fault, and waits for nobody who is away', () => {
    const targets = [
      target({ instanceId: 'a', state: 'updated', runs: '2' }),
      target({ instanceId: 'b', isConnected: false }),
    ]
    expect(decide(facts(targets), 23)).toEqual([])
    expect(decide(facts(targets), 24)).toEqual([{ do: 'nextWave' }])
    expect(decide(facts(targets, { faultAt: at(5) }), 24)).toEqual([])
    expect(decide(facts([target({ instanceId: 'a', wave: 1 })]))).toEqual([{ do: 'nextWave' }])
  })

  it('pauses when more than 5 % of its clusters failed, and at least two', () => {
    const wave = (count: number, failed: number) =>
      facts(
        Array.from({ length: count }, (_, index) =>
          target({ instanceId: `${index}`, state: index < failed ? 'failed' : 'updated' }),
        ),
      )
    expect(decide(wave(1, 1))).toEqual([])
    expect(decide(wave(2, 2))).toEqual([{ do: 'pause', why: 'failures' }])
    expect(decide(wave(40, 2))).toEqual([])
    expect(decide(wave(39, 2))).toEqual([{ do: 'pause', why: 'failures' }])
  })

  it('waits for who was asked and is away to try it, and not for ever', () => {
    const trying = target({ instanceId: 'a', state: 'asked', isConnected: false, changedAt: at(24) })
    expect(decide(facts([trying]), 24.5)).toEqual([])
    expect(decide(facts([trying]), 26)).toEqual([{ do: 'nextWave' }])
    // Asked long before: it finished its backup first.
    const late = { ...trying, changedAt: at(0), seenAt: at(24) }
    expect(decide(facts([late]), 24.5)).toEqual([])
    expect(decide(facts([late]), 26)).toEqual([{ do: 'nextWave' }])
  })

  it('goes on past many that were asked and went away', () => {
    const gone = Array.from({ length: 20 }, (_, index) =>
      target({ instanceId: `gone ${index}`, state: 'asked', isConnected: false }),
    )
    const here = target({ instanceId: 'here' })
    expect(decide(facts([...gone, here]), 0.5)).toEqual([])
    expect(decide(facts([...gone, here]), 2)).toEqual([{ do: 'ask', instanceIds: ['here'] }])
    const updated = target({ instanceId: 'updated', state: 'updated', runs: '2' })
    expect(decide(facts([...gone, updated], { state: 'back' }), 2)).toEqual([
      { do: 'askBack', instanceIds: ['updated'] },
    ])
  })

  it('ends with the last, once nobody is left who can be updated', () => {
    const last = { wave: waveNames.length - 1 }
    const away = target({ instanceId: 'b', isConnected: false })
    expect(decide(facts([target({ instanceId: 'a', state: 'updated' }), away], last), 99)).toEqual([])
    const old = target({ instanceId: 'old', mayUpdate: false })
    expect(decide(facts([target({ instanceId: 'a', state: 'failed' }), old], last))).toEqual([{ do: 'end' }])
  })

  it('asks for nothing that the server does not offer any more', () => {
    expect(decide(facts([target({ instanceId: 'a' })], { isOffered: false }))).toEqual([
      { do: 'pause', why: 'notOffered' },
    ])
  })
})

it('goes back from what was updated, and ends when nothing is left of it', () => {
  const back = { state: 'back' } as const
  const updated = target({ instanceId: 'a', state: 'updated', runs: '2' })
  const waiting = target({ instanceId: 'b' })
  expect(decide(facts([updated, waiting], back))).toEqual([{ do: 'askBack', instanceIds: ['a'] }])
  expect(decide(facts([{ ...updated, isConnected: false }], back))).toEqual([])
  expect(decide(facts([{ ...updated, state: 'returned' }, waiting], back))).toEqual([{ do: 'end' }])
})

describe('whatever the targets are', () => {
  const anyTarget = fc.record({
    instanceId: fc.uuid(),
    clusterId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    wave: fc.integer({ min: 0, max: 3 }),
    state: fc.constantFrom('waiting', 'asked', 'updated', 'failed', 'returned'),
    isConnected: fc.boolean(),
    seenAt: fc.constantFrom(null, at(20)),
    runs: fc.constantFrom('1', '2', null),
    mayUpdate: fc.boolean(),
    notBefore: fc.constantFrom(null, at(10), at(100)),
    changedAt: fc.constantFrom(at(0), at(30)),
  }) as fc.Arbitrary<Target>
  const anyFacts = fc.record({
    version: fc.constant('2'),
    state: fc.constantFrom('running', 'paused', 'back', 'ended'),
    wave: fc.integer({ min: 0, max: 3 }),
    waveAt: fc.constant(at(0)),
    faultAt: fc.constantFrom(null, at(20)),
    isOffered: fc.boolean(),
    targets: fc.array(anyTarget, { maxLength: 40 }),
  }) as fc.Arbitrary<Facts>
  const asked = (steps: Step[]) => steps.flatMap((step) => (step.do === 'ask' ? step.instanceIds : []))

  it('nobody is asked before their wave, too many at once, or while it is not running', () => {
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 0, max: 200 }), (one, hours) => {
        const steps = decide(one, hours)
        const ids = asked(steps)
        for (const id of ids) {
          const found = one.targets.find(({ instanceId }) => instanceId === id)
          expect(found).toMatchObject({ state: 'waiting', isConnected: true, mayUpdate: true })
          expect(found?.wave).toBeLessThanOrEqual(one.wave)
          expect(found?.runs).not.toBe('2')
          expect((found?.notBefore ?? at(0)).getTime()).toBeLessThanOrEqual(at(hours).getTime())
        }
        const under = one.targets.filter(({ state }) => state === 'asked').length
        if (ids.length > 0) expect(ids.length + under).toBeLessThanOrEqual(20)
        if (one.state !== 'running' || !one.isOffered) expect(ids).toEqual([])
        expect(steps.filter((step) => ['pause', 'nextWave', 'end'].includes(step.do)).length).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('carried out again and again, with agents that obey, it ends with all of them updated', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 }), (waves) => {
        let one = facts(waves.map((wave, index) => target({ instanceId: `${index}`, wave })))
        for (let hour = 0; one.state === 'running' && hour < 200; hour += 1) {
          for (const step of decide(one, hour)) {
            if (step.do === 'end') one = { ...one, state: 'ended' }
            if (step.do === 'nextWave') one = { ...one, wave: one.wave + 1, waveAt: at(hour) }
            if (step.do === 'ask') {
              const ids = step.instanceIds
              const update = (each: Target): Target =>
                ids.includes(each.instanceId) ? { ...each, state: 'updated', runs: '2' } : each
              one = { ...one, targets: one.targets.map(update) }
            }
          }
        }
        expect(one.state).toBe('ended')
        expect(one.targets.every(({ runs }) => runs === '2')).toBe(true)
      }),
    )
  })

  it('each cluster has one wave; the shares are 5 and 25 %, at least one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 300 }), (own, others) => {
        const name = (kind: string) => (_: unknown, index: number) => `${kind}${index}`
        const waves = assignWaves(
          Array.from({ length: own }, name('own')),
          Array.from({ length: others }, name('other')),
        )
        const count = (wave: number) => [...waves.values()].filter((one) => one === wave).length
        expect(waves.size).toBe(own + others)
        expect(count(0)).toBe(own)
        expect(count(1)).toBe(Math.ceil(others * 0.05))
        expect(count(2)).toBe(Math.min(others - count(1), Math.ceil(others * 0.25)))
      }),
    )
  })
})
