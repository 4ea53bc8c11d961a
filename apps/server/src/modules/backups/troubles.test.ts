import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noteEnd, type Troubles, troubleSources } from './troubles.ts'

const ends = fc.array(
  fc.record({
    source: fc.constantFrom(...troubleSources),
    cause: fc.option(fc.constantFrom('full', 'away', 'wrong'), { nil: null }),
  }),
  { maxLength: 30 },
)

test('each cause is told once until all works again, and that it does once, and only after something was told', () => {
  fc.assert(
    fc.property(ends, (given) => {
      let troubles: Troubles = {}
      const told = new Set<string>()
      const failing = new Set<string>()
      let isTold = false
      for (const { source, cause } of given) {
        const { tell, ...next } = noteEnd(troubles, source, cause)
        troubles = next.troubles
        const wasFailing = failing.has(source)
        if (cause === null) {
          failing.delete(source)
          expect(tell === 'over').toBe(wasFailing && failing.size === 0)
          expect(tell).not.toBe('began')
          if (tell === 'over') {
            expect(isTold).toBe(true)
            told.clear()
            isTold = false
          }
        } else {
          failing.add(source)
          if (tell === 'began') isTold = true
          expect(tell).not.toBe('over')
          // A cause that is known of another source is the same news.
          if (tell === null) expect(told.has(cause)).toBe(true)
          told.add(cause)
        }
        expect(Object.keys(troubles).sort()).toEqual([...failing].sort())
      }
    }),
  )
})

test('a run that fails each night for one cause is one mail, another cause another, and its end one', () => {
  let troubles: Troubles = {}
  const mails = ['full', 'full', 'full', 'away', 'full', null, null].map((cause) => {
    const noted = noteEnd(troubles, 'run', cause)
    troubles = noted.troubles
    return noted.tell
  })
  expect(mails).toEqual(['began', null, null, 'began', null, 'over', null])
})
