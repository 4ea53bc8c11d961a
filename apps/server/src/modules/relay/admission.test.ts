import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'

test('a network that dials too often is refused until there is room again, others are not', () => {
  let time = 0
  const refuses = createAdmission(() => time)
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
  expect(createAdmission()('192.0.2.1', 20_000)).toContain('503')
})
