import type { AgentBoot } from '@atoll/contract/agents'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Boots, chooseBoot, noBoots, noteBoot, standingOf } from './boots.ts'

const dialOf = (id: string, previous: string | null = null): AgentBoot => ({ id, previous, hostName: `host of ${id}` })

/** Notes dials in turn, a second apart. */
const noteAll = (dials: readonly AgentBoot[], from: Boots = noBoots) =>
  dials.reduce((boots, dial, at) => noteBoot(boots, dial, at * 1000), from)

interface Move {
  /** Of two disks, the one that does something. */
  disk: 0 | 1
  /** It restarts before it dials. */
  restarts: boolean
}

/** A history of dials: the boots of each disk follow one another, and each dials any number of times. */
function movesOf(disks: fc.Arbitrary<0 | 1>): fc.Arbitrary<Move[]> {
  return fc.array(fc.record({ disk: disks, restarts: fc.boolean() }), { maxLength: 60 })
}

/** The dials of `moves`; both disks come from the boot `first`, if they know it. */
function dialsOf(moves: readonly Move[]): (AgentBoot & { disk: 0 | 1 })[] {
  const boots = [0, 0]
  const name = (disk: 0 | 1) => (boots[disk] === 0 ? null : `${disk ? 'B' : 'A'}${boots[disk]}`)
  const before: (string | null)[] = ['first', 'first']
  return moves.map(({ disk, restarts }) => {
    if (restarts || boots[disk] === 0) {
      before[disk] = name(disk) ?? 'first'
      boots[disk] = (boots[disk] ?? 0) + 1
    }
    return { ...dialOf(name(disk) ?? '', before[disk] ?? null), disk }
  })
}

describe('the boots of an agent', () => {
  test('of one disk are never taken for a copy, however often it restarts', () => {
    fc.assert(
      fc.property(movesOf(fc.constant(0)), (moves) => {
        let boots = noBoots
        for (const [at, dial] of dialsOf(moves).entries()) {
          boots = noteBoot(boots, dial, at)
          expect(standingOf(boots, dial)).toBe('serves')
          expect(boots.refused).toEqual([])
        }
      }),
    )
  })

  test('of two disks show at the first return of a boot that another replaced; the first that served goes on', () => {
    fc.assert(
      fc.property(movesOf(fc.constantFrom(0, 1)), (moves) => {
        let boots = noBoots
        const replaced = new Set<string>()
        const served: string[] = []
        for (const [at, dial] of dialsOf(moves).entries()) {
          const before = boots
          boots = noteBoot(before, dial, at)
          if (replaced.has(dial.id)) {
            expect(boots.serving?.id).toBe(dial.id)
            const other = boots.refused.at(-1)?.id ?? ''
            expect(other).toBe(before.serving?.id)
            expect(served.indexOf(dial.id)).toBeLessThan(served.indexOf(other))
            expect(boots.isAnswered).toBe(false)
            return
          }
          expect(boots.refused).toEqual([])
          if (!served.includes(dial.id)) served.push(dial.id)
          if (before.serving && before.serving.id !== dial.id) replaced.add(before.serving.id)
        }
      }),
    )
  })

  test('of the disk that was refused stay refused whatever it does, and those of the other serve', () => {
    fc.assert(
      fc.property(movesOf(fc.constantFrom(0, 1)), fc.boolean(), (moves, isChosen) => {
        // Both dial, and the first one comes back.
        const dials = dialsOf([{ disk: 0, restarts: true }, { disk: 1, restarts: true }, ...moves])
        let boots = noteAll([dials[0], dials[1], dials[0]].map((dial) => dial ?? dialOf('')))
        if (isChosen) boots = chooseBoot(boots, 'B1', 0) ?? boots
        const goesOn = isChosen ? 1 : 0
        for (const [at, dial] of dials.slice(2).entries()) {
          boots = noteBoot(boots, dial, at)
          expect([dial.id, standingOf(boots, dial)]).toEqual([dial.id, dial.disk === goesOn ? 'serves' : 'refused'])
        }
      }),
    )
  })

  test('are A, B, C of a machine that restarts, and A, B, A of a copy', () => {
    const [a, b, c] = [dialOf('a'), dialOf('b', 'a'), dialOf('c', 'b')]
    expect(noteAll([a, b, c])).toMatchObject({ serving: { id: 'c' }, past: ['a', 'b'], refused: [] })
    const copied = noteAll([a, b, a])
    expect(copied).toMatchObject({
      serving: { id: 'a', hostName: 'host of a' },
      refused: [{ id: 'b', hostName: 'host of b' }],
      past: [],
      isAnswered: false,
    })
    expect(standingOf(copied, b)).toBe('refused')
    expect(standingOf(copied, c), 'the copy restarts').toBe('refused')
    expect(noteAll([a, b, a, c]).refused).toMatchObject([{ id: 'c' }])
  })

  test('go on as the owner chooses, who may change their mind', () => {
    const copied = noteAll([dialOf('a'), dialOf('b'), dialOf('a')])
    expect(chooseBoot(copied, 'a', 0)).toMatchObject({ serving: { id: 'a' }, refused: [{ id: 'b' }], isAnswered: true })
    const other = chooseBoot(copied, 'b', 7)
    expect(other).toMatchObject({ serving: { id: 'b' }, refused: [{ id: 'a', at: 7 }], isAnswered: true })
    expect(chooseBoot(other ?? noBoots, 'a', 8)).toMatchObject({ serving: { id: 'a' }, refused: [{ id: 'b', at: 8 }] })
    expect(chooseBoot(copied, 'c', 0)).toBeUndefined()
  })

  test('are kept in a bounded number, and a copy that is gone is forgotten after a month', () => {
    const many = Array.from({ length: 300 }, (_, at) => dialOf(`boot${at}`))
    expect(noteAll(many).past).toHaveLength(100)
    const copied = noteAll([dialOf('a'), dialOf('b'), dialOf('a')])
    const later = noteBoot(copied, dialOf('c', 'a'), 31 * 24 * 3600_000)
    expect(later).toMatchObject({ serving: { id: 'c' }, refused: [] })
    const dials = noteBoot(copied, dialOf('b'), 3600_000 + 2000)
    expect(dials.refused, 'one that dials is noted each hour').toMatchObject([{ id: 'b', at: 3602_000 }])
    expect(noteBoot(dials, dialOf('b'), 3700_000)).toBe(dials)
  })
})
