import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mailboxKey, normaliseEmail } from './email-address.ts'

test.each([
  ['lena@lagoon.example', 'lena@lagoon.example'],
  ['  Lena.Reef+atoll@Lagoon.Example ', 'Lena.Reef+atoll@lagoon.example'],
  ['lena@bücher.example', 'lena@xn--bcher-kva.example'],
  ['lena@例え.example', 'lena@xn--r8jz45g.example'],
  // The dot of East Asian keyboards is one to a domain name (UTS #46).
  ['lena@lagoon。example', 'lena@lagoon.example'],
  ["o'brien@a-b.example", "o'brien@a-b.example"],
])('%s is %s', (typed, email) => {
  expect(normaliseEmail(typed)).toBe(email)
  expect(normaliseEmail(email)).toBe(email)
})

test.each([
  '',
  'lena',
  '@lagoon.example',
  'lena@',
  'lena@@lagoon.example',
  'lena@lagoon@example.com',
  'lena@localhost',
  'lena@127.0.0.1',
  'lena@[127.0.0.1]',
  'lena@0x7f.1',
  '.lena@lagoon.example',
  'le..na@lagoon.example',
  '"le na"@lagoon.example',
  'lena reef@lagoon.example',
  'léna@lagoon.example',
  'lena@lagoon..example',
  'lena@-lagoon.example',
  'lena@lagoon.example\r\nBcc: all@reef.example',
  'lena\r\nBcc: all@reef.example',
  'lena\0@lagoon.example',
  'lena@lagoon.example,all@reef.example',
  'Lena <lena@lagoon.example>',
  `${'l'.repeat(65)}@lagoon.example`,
  `lena@${'l'.repeat(64)}.example`,
  `lena@${'l.'.repeat(127)}example`,
])('%j is refused', (typed) => expect(normaliseEmail(typed)).toBeUndefined())

test('nothing that is accepted can end a header or name a second mailbox', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(fc.string(), fc.string()).map((parts) => parts.join('@')),
  )
  fc.assert(
    fc.property(typed, (text) => {
      expect(normaliseEmail(text) ?? 'a@b').toMatch(/^[!-?A-~]+@[a-z0-9.-]+$/)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['Moa@Lagoon.example', 'moa@lagoon.example'],
  ['moa+1@lagoon.example', 'moa@lagoon.example'],
  ['moa+a+b@lagoon.example', 'moa@lagoon.example'],
  ['m.o.a+30@googlemail.com', 'moa@gmail.com'],
  // Elsewhere a dot is part of the name, and a plus may begin one.
  ['m.oa@lagoon.example', 'm.oa@lagoon.example'],
  ['+1@lagoon.example', '+1@lagoon.example'],
])('mails to %s are counted with those to %s', (email, mailbox) => expect(mailboxKey(email)).toBe(mailbox))
