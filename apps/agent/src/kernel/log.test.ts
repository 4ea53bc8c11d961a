import { expect, test } from 'vitest'
import { describeError } from './log.ts'

test('an error is described with its causes', () => {
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  expect(describeError(new TypeError('fetch failed', { cause: refused }))).toBe('fetch failed: ECONNREFUSED')
  expect(describeError(new Error('no', { cause: new Error('self-signed\ncertificate') }))).toBe(
    'no: self-signed certificate',
  )
  expect(describeError('odd')).toBe('odd')
})
