import { expect, it } from 'vitest'
import { findLateUses } from './composition.ts'

const inCompose = (...lines: string[]) =>
  findLateUses('compose.ts', ['export function compose(base: Base) {', ...lines, '}'].join('\n'))

it('takes what is used after it was made', () => {
  const lines = [
    'const { mail, ...rest } = createMail(base)',
    'const accounts = createAccounts({ mail, onNews: (trx) => rest.post(trx), billing: { isPaid } })',
    'const billing = createBilling({ accounts, find: (accounts: string) => accounts })',
    'return { mail, accounts, billing }',
  ]
  expect(inCompose(...lines)).toEqual([])
  const [first = '', second = '', ...others] = lines
  expect(inCompose(second, first, ...others)).toEqual([
    'compose.ts:2: mail is not made yet: it is on line 3',
    'compose.ts:2: rest is not made yet: it is on line 3',
  ])
})

it.each([
  ['a closure', 'const accounts = createAccounts({ isPaid: (id) => billing.isPaid(id) })', 'billing'],
  ['a method', 'const accounts = createAccounts({ async isPaid(id) { return await billing.isPaid(id) } })', 'billing'],
  ['a member that is passed', 'const accounts = createAccounts({ isPaid: billing.isPaid })', 'billing'],
  ['a shorthand', 'const accounts = createAccounts({ billing })', 'billing'],
  ['itself', 'const accounts = createAccounts({ again: () => accounts.check() })', 'accounts'],
])('names %s that uses what is made later', (_, line, name) => {
  const later = 'const billing = createBilling(base)'
  expect(inCompose(line, later)).toEqual([
    `compose.ts:2: ${name} is not made yet: it is on line ${name === 'billing' ? 3 : 2}`,
  ])
})

it('names an object that is filled after it was made', () => {
  expect(inCompose('const modules = {}', 'modules.mail = createMail(base)')).toEqual([
    'compose.ts:3: an object is filled after it was made',
  ])
})
