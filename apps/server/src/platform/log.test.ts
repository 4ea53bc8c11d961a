import { expect, it } from 'vitest'
import { createLog } from './log.ts'

/** What reaches the destination when `write` logs. */
function linesOf(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  write(
    createLog(
      { level: 'trace' },
      {
        write: (line: string) => {
          text += line
        },
      },
    ),
  )
  return text
}

const secret = 'do-not-write-me'

it.each([
  ['at the top', { token: secret }],
  [
    'in headers',
    { req: { headers: { authorization: secret, cookie: secret, Token: secret, 'set-cookie': [secret] } } },
  ],
  ['in a body', { body: { password: secret, jws: secret, data: [{ secret }, { oneTimePassword: secret }] } }],
  ['by its last word', { tunnelToken: secret, authToken: secret, smtpUrl: secret, ATOLL_METRICS_TOKEN: secret }],
  ['in other spellings', { enroll_token: secret, 'sync-token': secret, DATABASE_URL: secret, newPassword: secret }],
  ['below the depth of redaction', { a: { b: { c: { d: { e: { f: { g: { note: secret } } } } } } } }],
])('never writes a secret %s', (_, fields) => {
  expect(linesOf((log) => log.info(fields, 'message'))).not.toContain(secret)
})

it('never writes what errors carry along', () => {
  const error = Object.assign(new Error('lost'), {
    client: { connectionParameters: { password: secret } },
    token: secret,
  })
  const text = linesOf((log) => log.error({ err: new Error('outer', { cause: error }) }, 'message'))
  expect(text).not.toContain(secret)
  expect(text).toContain('lost')
  expect(text).toContain('outer')
})

it('writes the rest, with a level in words and a readable time', () => {
  const line: unknown = JSON.parse(
    linesOf((log) => log.child({ requestId: 'r1' }).warn({ userid: 'did:key:z', token: null }, 'hi')),
  )
  expect(line).toMatchObject({ level: 'warn', requestId: 'r1', userid: 'did:key:z', token: null, msg: 'hi' })
  expect(line).toHaveProperty('time', expect.stringMatching(/^\d{4}-\d\d-\d\dT/))
})

it('masks what a child logger is bound to', () => {
  expect(linesOf((log) => log.child({ token: secret }).info('message'))).not.toContain(secret)
})
