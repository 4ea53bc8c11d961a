import { base64urlnopad } from '@scure/base'
import { expect, it } from 'vitest'
import { domainBaseOfLink, domainOfBase } from './domain-name.ts'

const base = base64urlnopad.encode(new TextEncoder().encode('cloud.lagoon.example'))

it('reads the domain of an address', () => {
  expect(domainOfBase(base)).toBe('cloud.lagoon.example')
  expect(domainBaseOfLink(` https://wallet.example/domain/${base} `)).toBe(base)
  expect(domainBaseOfLink(`http://localhost:4801/domain/${base}/`)).toBe(base)
})

it.each(['', '!', 'AAAA', base64urlnopad.encode(new TextEncoder().encode('a b.example'))])('%j is none', (text) => {
  expect(domainOfBase(text)).toBeUndefined()
})

it.each([
  `https://wallet.example/approve/${base}`,
  `https://wallet.example/domain/${base}/more`,
  'javascript:alert(1)',
  base,
])('%j leads to no domain', (text) => {
  expect(domainBaseOfLink(text)).toBeUndefined()
})
