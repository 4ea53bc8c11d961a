import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'

test('a network that dials too often is refused until there is room again, others are not', () => {
  let time = 0
  const admits = createAdmission(() => time)
  let dials = 0
  const refuses = (address: string, held: number) => admits({ address, authorization: `agent ${dials++}` }, held)
  const verdicts = Array.from({ length: 300 }, () => refuses('192.0.2.1', 0))
  expect(verdicts.filter((verdict) => verdict === undefined)).toHaveLength(240)
  expect(verdicts.at(-1)).toContain('429')
  expect(refuses('192.0.2.2', 0)).toBeUndefined()
  time = 250
  expect(refuses('192.0.2.1', 0)).toBeUndefined()
  expect(refuses('192.0.2.1', 0)).toContain('429')
  for (let at = 0; at < 240; at += 1) expect(refuses(`2001:db8::${at}`, 0)).toBeUndefined()
  expect(refuses('2001:db8::ffff', 0)).toContain('429')
  expect(refuses('2001:db8:0:1::1', 0)).toBeUndefined()
})

test('a full relay refuses everybody', () => {
  expect(createAdmission()({ address: '192.0.2.1', authorization: 'a' }, 20_000)).toContain('503')
})

test('an agent that dials again and again is refused wherever it dials from, and no other one with it', () => {
  let time = 0
  const admits = createAdmission(() => time)
  const dial = (at: number, authorization = 'Bearer in_one.token') =>
    admits({ address: `198.51.100.${at % 250}`, authorization }, 0)
  const verdicts = Array.from({ length: 100 }, (_, at) => dial(at))
  expect(verdicts.filter((verdict) => verdict === undefined)).toHaveLength(60)
  expect(verdicts.at(-1)).toContain('429')
  expect(dial(100, 'Bearer in_two.token')).toBeUndefined()
  time = 1000
  expect([dial(101), dial(102)]).toEqual([undefined, expect.stringContaining('429')])
})
