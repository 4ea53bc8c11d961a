import { expect, test } from 'vitest'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { guardTarget } from './guard.ts'

const now = 1_900_000_000_000

test('no account leads to the sign-in page with the wanted path', () => {
  expect(guardTarget(undefined, now, '/create?step=review')).toEqual({
    did: undefined,
    redirect: '/create?step=review',
  })
})

test('an account without a token leads to the sign-in page', () => {
  expect(guardTarget(exampleAccount(0, { token: '' }), now, '/')).toEqual({ did: undefined, redirect: '/' })
})

test.each([now - 1, now])('a session that expired at %i leads to the page of its account', (expired) => {
  expect(guardTarget(exampleAccount(0, { expired }), now, '/create')).toEqual({ did: dids[0], redirect: '/create' })
})

test('a session that lasts passes', () => {
  expect(guardTarget(exampleAccount(0, { expired: now + 1 }), now, '/create')).toBeUndefined()
})
