import { expect, it } from 'vitest'
import { fromDomainBase, toDomainBase } from './domain-base.ts'

it.each(['a.example', 'cloud.lagoon.example', 'xn--bcher-kva.example', `${'a'.repeat(63)}.example`])(
  'names %s in an address and reads it back',
  (domain) => {
    const base = toDomainBase(domain)
    expect(base).toBe(Buffer.from(domain).toString('base64url'))
    expect(fromDomainBase(base)).toBe(domain)
  },
)

it.each(['', '%', 'a', 'Y2xvdWQ=', '____', Buffer.from('a b').toString('base64url'), 'Y'.repeat(401)])(
  'takes %j for no domain',
  (base) => expect(fromDomainBase(base)).toBeUndefined(),
)
