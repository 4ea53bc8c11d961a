import { expect, it } from 'vitest'
import { createLog, hideFromText, safeDestination } from './log.ts'

/** The lines that reach the destination when `write` logs. */
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
    linesOf((log) => log.child({ requestId: 'r1' }).warn({ account: 'ac_1', token: null }, 'hi')),
  )
  expect(line).toMatchObject({ level: 'warn', requestId: 'r1', account: 'ac_1', token: null, msg: 'hi' })
  expect(line).toHaveProperty('time', expect.stringMatching(/^\d{4}-\d\d-\d\dT/))
})

it.each([
  ['a DID', 'Key (userid)=(did:key:z6MkhaXg) is not there', 'Key (userid)=([did]) is not there'],
  [
    'a DID as part of an address',
    'https://a.test/1.0/identifiers/did:key:z6MkhaXg#0',
    'https://a.test/1.0/identifiers/[did]#0',
  ],
  ['an ID', 'the name reef@atoll.test is taken', 'the name [address] is taken'],
  ['a mail address of any letters', 'to <anna.müller+x@bücher.example>: full', 'to <[address]>: full'],
  [
    'an address on a line of its own',
    'sent to\nreef@atoll.test\tand\u0001b@atoll.test',
    'sent to\n[address]\tand\u0001[address]',
  ],
  ['what an address of the web has', '/a?of=did%3Akey%3Az6Mk&to=reef%40atoll.test', '/a?of=[did]&to=[address]'],
  [
    'and no package',
    '/a/node_modules/@atoll/did/index.ts of pg@8.16.3',
    '/a/node_modules/@atoll/did/index.ts of pg@8.16.3',
  ],
])('writes of %s that it was there', (_, said, written) => {
  const lines = linesOf((log) => {
    log.info(said)
    log.child({ subject: said }).error({ err: new Error(said), list: [{ text: said }] }, 'failed')
  })
  expect(lines.split('\n').map((line) => line && JSON.parse(line))).toMatchObject([
    { msg: written },
    { subject: written, err: { message: written }, list: [{ text: written }] },
    '',
  ])
})

it('writes a long word at once, whatever it is made of', () => {
  // Of this process, however busy the machine is.
  const began = process.cpuUsage()
  linesOf((log) => {
    for (const part of ['a', 'a@', 'a%40', 'did:a', 'a@a.']) log.info(part.repeat(200_000 / part.length))
  })
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000)
})

it('masks what a child logger is bound to', () => {
  expect(linesOf((log) => log.child({ token: secret }).info('message'))).not.toContain(secret)
})

it('never fails its caller on a full disk, and says how much was lost once there is room', () => {
  let room = 0
  let text = ''
  const log = createLog(
    { level: 'info' },
    safeDestination(2, (_, bytes) => {
      if (room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      const taken = bytes.subarray(0, room)
      room -= taken.length
      text += Buffer.from(taken).toString('utf8')
      return taken.length
    }),
  )
  for (const line of ['one', 'two', 'three']) expect(() => log.error(line)).not.toThrow()
  // A line that is cut counts as lost, and does not spoil the next.
  room = 20
  log.error('cut')
  room = 100_000
  log.error('after')
  const lines = text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ lost: 4 }, { msg: 'after' }])
})

it('waits for a pipe that is full for a moment', () => {
  let calls = 0
  let text = ''
  const destination = safeDestination(2, (_, bytes) => {
    calls += 1
    if (calls % 2 === 1) throw Object.assign(new Error('try again'), { code: 'EAGAIN' })
    text += Buffer.from(bytes).toString('utf8')
    return bytes.length
  })
  destination.write('a line\n')
  expect(text).toBe('a line\n')
})

it('leaves secrets that a program printed out of a text that leaves the deployment, and the text JSON', () => {
  const lines = [
    ...[`restic -r rest:https://reef:${secret}@10.0.0.7:8443/r`, `Authorization: Bearer ${secret}`],
    ...[`RESTIC_PASSWORD=${secret} restic`, `the token: ${secret}, and on`, JSON.stringify({ enrollToken: secret })],
  ]
  const text = hideFromText(JSON.stringify({ lines, hasPassword: true, password: null, token: secret }, null, 2))
  expect(text).not.toContain(secret)
  const read = JSON.parse(text) as { lines: string[]; hasPassword: boolean }
  expect([read.hasPassword, read.lines[2]]).toEqual([true, 'RESTIC_PASSWORD=[secret] restic'])
})
