import { expect, it } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

it('a network gets so many equal answers a second, then every second one says TCP', () => {
  const judge = createRateLimit(2)
  const verdicts = Array.from({ length: 6 }, (_, index) => judge(`192.0.2.${index}`, 'x.example', 0))
  expect(verdicts).toEqual(['answer', 'answer', 'truncate', 'drop', 'truncate', 'drop'])
  expect(judge('192.0.2.1', 'y.example', 0)).toBe('answer')
  expect(judge('192.0.3.1', 'x.example', 999)).toBe('answer')
  expect(judge('192.0.2.1', 'x.example', 1000)).toBe('answer')
})

it('0 is no limit', () => {
  const judge = createRateLimit(0)
  for (let count = 0; count < 100; count += 1) expect(judge('192.0.2.1', '', 0)).toBe('answer')
})
