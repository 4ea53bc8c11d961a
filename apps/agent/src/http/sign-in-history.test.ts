import type { SignIn } from '@atoll/contract/personal-server'
import { expect, test } from 'vitest'
import { addSignIn } from './sign-in-history.ts'

const device = { kind: 'computer', browser: 'Firefox', system: 'Linux' } as const
let time = 0
function signIn(outcome: SignIn['outcome'], network: string): SignIn {
  time += 1
  return { outcome, place: { device, network }, at: time, count: 1 }
}

test('wrong tries of one network are one entry at the time of the last, right ones one each', () => {
  let entries: SignIn[] = []
  for (const [outcome, network] of [
    ['wrongPassword', '192.0.2.1'],
    ['signedIn', '192.0.2.1'],
    ['wrongPassword', '2001:db8::/64'],
    ['signedIn', '192.0.2.1'],
    ['wrongPassword', '192.0.2.1'],
  ] as const)
    entries = addSignIn(entries, signIn(outcome, network))
  expect(entries.map(({ outcome, place, count }) => [outcome, place.network, count])).toEqual([
    ['signedIn', '192.0.2.1', 1],
    ['wrongPassword', '2001:db8::/64', 1],
    ['signedIn', '192.0.2.1', 1],
    ['wrongPassword', '192.0.2.1', 2],
  ])
})

test('wrong tries from any number of networks push out no right one, and are limited', () => {
  let entries = [signIn('signedIn', '192.0.2.1')]
  for (let at = 0; at < 300; at += 1) entries = addSignIn(entries, signIn('wrongPassword', `198.51.100.${at}`))
  expect(entries[0]?.outcome).toBe('signedIn')
  expect(entries).toHaveLength(101)
  expect(entries.at(-1)?.place.network).toBe('198.51.100.299')
})

test('an app password that is used from two networks in turn is two entries and pushes out none', () => {
  let entries = [signIn('signedIn', '192.0.2.1')]
  for (let at = 0; at < 300; at += 1)
    entries = addSignIn(entries, { ...signIn('signedIn', `192.0.2.${1 + (at % 2)}`), appPassword: 'Laptop' })
  expect(entries.map(({ place, count, appPassword }) => [place.network, count, appPassword])).toEqual([
    ['192.0.2.1', 1, undefined],
    ['192.0.2.1', 1, 'Laptop'],
    ['192.0.2.2', 1, 'Laptop'],
  ])
})
