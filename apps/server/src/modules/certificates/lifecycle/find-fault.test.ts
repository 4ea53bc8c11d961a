import { expect, test } from 'vitest'
import { findFault } from './find-fault.ts'

const row = { domain: 1, domain_name: 'lagoon.example', names: ['lena.lagoon.example'] }
const server = (isServed: boolean, answered = true) => ({ isServed, answered })
const faultOf = (
  challenge: 'dns-01' | 'http-01',
  pointsHere: boolean | undefined,
  servers: ReturnType<typeof server>[] = [server(true), server(true)],
) => {
  // `findFault` calls nothing else of these two.
  const domains = { pointsHere: async () => pointsHere } as unknown as Parameters<typeof findFault>[0]['domains']
  const dns = { seeServed: async () => servers } as unknown as Parameters<typeof findFault>[0]['dns']
  return findFault({ domains, dns }, { ...row, challenge }, 'challengeFailed', 7)
}

test("a name that could not be checked is the owner's fault only where an answer says that it leads elsewhere", async () => {
  for (const challenge of ['dns-01', 'http-01'] as const) {
    expect(await faultOf(challenge, false)).toBe('owner')
    expect(await faultOf(challenge, undefined)).not.toBe('owner')
    expect(await faultOf(challenge, true)).toBe('authority')
  }
})

test.each([
  ['is silent', server(false, false)],
  ['has an older zone', server(false)],
])('one of our name servers that %s is at fault, not the owner', async (_, other) => {
  expect(await faultOf('dns-01', true, [server(true), other])).toBe('nameServer')
  expect(await faultOf('dns-01', undefined, [server(true), other])).toBe('nameServer')
})

test.each([
  ['caaForbids', 'owner'],
  ['caUnreachable', 'authority'],
  ['caLimited', 'authority'],
  ['caRefused', 'authority'],
  ['orderLimit', null],
] as const)('%s is the fault of %s', async (problem, fault) => {
  const nothing = {} as Parameters<typeof findFault>[0] // nothing is asked
  expect(await findFault(nothing, { ...row, challenge: 'http-01' }, problem, null)).toBe(fault)
})
