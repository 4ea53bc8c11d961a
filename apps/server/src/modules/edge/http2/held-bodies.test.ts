import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeldBodies } from './held-bodies.ts'

class Stream extends EventEmitter {
  isPaused = false
  isCut = false
  readonly visitor: string
  constructor(visitor: string) {
    super()
    this.visitor = visitor
  }
  close() {
    this.isPaused = false
    this.isCut = true
    this.emit('close')
  }
}

const acts = fc.array(
  fc.record({ at: fc.nat({ max: 29 }), does: fc.constantFrom('pause', 'pause', 'resume', 'close') }),
  { maxLength: 200 },
)

test('in any order of events no more streams wait than may, and the first of a visitor with most is cut', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), acts, (most, given) => {
      const told: string[] = []
      const bodies = createHeldBodies(most, (network) => told.push(network))
      const streams = Array.from({ length: 30 }, (_, at) => new Stream(`203.0.113.${at % 4}`))
      for (const stream of streams) bodies.watch(stream, stream.visitor)
      let waiting: Stream[] = []
      let cut = 0
      for (const { at, does } of given) {
        const stream = streams[at]
        if (!stream || stream.isCut) continue
        waiting = does === 'pause' && stream.isPaused ? waiting : waiting.filter((one) => one !== stream)
        if (does === 'pause' && !stream.isPaused) waiting.push(stream)
        stream.isPaused = does === 'pause'
        stream.emit(does)
        const lost = waiting.filter((one) => one.isCut)
        if (lost[0]) {
          const of = (visitor: string) => waiting.filter((one) => one.visitor === visitor)
          const sizes = waiting.map(({ visitor }) => of(visitor).length)
          expect(of(lost[0].visitor)).toHaveLength(Math.max(...sizes))
          expect(of(lost[0].visitor)[0]).toBe(lost[0])
          expect(waiting).toHaveLength(most + 1)
          expect(told.at(-1)).toBe(lost[0].visitor)
        }
        cut += lost.length
        waiting = waiting.filter((one) => !one.isCut)
        expect(waiting.length).toBeLessThanOrEqual(most)
      }
      expect(told).toHaveLength(cut)
    }),
  )
})
