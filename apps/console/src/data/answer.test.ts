import { expect, test } from 'vitest'
import { readAnswer } from './answer.ts'

const network = { ok: false, kind: 'network', code: undefined, message: undefined }
const body = (code: unknown, rest: object = {}) => JSON.stringify({ code, ...rest })

/** The error catalogue of spec §8, row by row. */
test.each([
  ['200', 200, body(200, { message: 'success', data: { a: 1 } }), { ok: true, data: { a: 1 } }],
  ['200 without data', 200, body(200), { ok: true, data: undefined }],
  ['HTTP 500', 500, body(200, { data: {} }), network],
  ['HTTP 204', 204, '', network],
  ['HTTP 301', 301, body(200), network],
  ['an empty body', 200, '', network],
  ['a blank body', 200, ' \n', network],
  ['a body that is no JSON', 200, '<html>', network],
  ['a body that is no envelope', 200, '[]', network],
  ['null', 200, 'null', network],
  ['a code that is no number', 200, body('200'), network],
  ['506', 200, body(506, { message: 'gone' }), { ok: false, kind: 'signedOut', code: 506, message: 'gone' }],
  ['401', 200, body(401, { message: 'x' }), { ok: false, kind: 'silent', code: 401, message: 'x' }],
  ['another code', 200, body(409, { message: 'No.' }), { ok: false, kind: 'refused', code: 409, message: 'No.' }],
  ['another code without a message', 200, body(500), { ok: false, kind: 'refused', code: 500, message: undefined }],
  [
    'another code with an empty message',
    200,
    body(503, { message: '' }),
    { ok: false, kind: 'refused', code: 503, message: undefined },
  ],
  [
    'a field that a program sent wrong',
    200,
    body(501, { message: 'range: must be one of: 12h, 24h' }),
    { ok: false, kind: 'refused', code: 501, message: undefined, detail: 'range: must be one of: 12h, 24h' },
  ],
  [
    'what a person typed wrong',
    200,
    body(501, { message: 'A name has 2 letters.' }),
    { ok: false, kind: 'refused', code: 501, message: 'A name has 2 letters.' },
  ],
  [
    'a refusal that names the field',
    200,
    body(409, { message: 'Taken.', field: 'name' }),
    { ok: false, kind: 'refused', code: 409, message: 'Taken.', field: 'name' },
  ],
  ['code 0', 200, body(0, { data: 1 }), { ok: false, kind: 'refused', code: 0, message: undefined }],
])('%s is read as what it is', (_what, status, text, expected) => {
  expect(readAnswer(status, text)).toEqual(expected)
})
