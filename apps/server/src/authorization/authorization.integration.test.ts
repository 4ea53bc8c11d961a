import { logout } from '@atoll/contract/accounts'
import { codes } from '@atoll/contract/wire'
import { createApiClient } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRows, endpointRows } from './authorization-table.fixture.ts'
import { nobodys } from './testing/owned-ids.ts'
import { bodyOf, calls, callsThat } from './testing/table-calls.ts'
import { openTestApp, type Person, type TestApp } from './testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

describe('the table', () => {
  it('has a row for every call of the contract, every call is mounted, and none besides', () => {
    const names = calls.map((call) => call.name).sort()
    expect(Object.keys(callRows).sort()).toEqual(names)
    expect(app.system.routes.map((route) => route.call.name).sort()).toEqual(names)
    for (const call of calls)
      expect([call.name, callRows[call.name]?.reach === 'open']).toEqual([call.name, call.auth === 'none'])
  })

  it('has a row for every other endpoint', () => {
    const paths = new Set(calls.map((call) => `POST ${call.path}`))
    const others = [...app.mounted].filter((endpoint) => !paths.has(endpoint))
    expect(others.filter((endpoint) => !(endpoint in endpointRows))).toEqual([])
    expect(others.length).toBeGreaterThan(10)
  })
})

describe('without a session', () => {
  /** Ways to have none: each with the headers it sends. */
  let sessions: Record<string, Record<string, string>>
  beforeAll(async () => {
    const [owner, other, expired, ended] = await Promise.all([1, 2, 3, 4].map(() => app.createPerson()))
    if (!owner || !other || !expired || !ended) throw new Error('four people were asked for')
    const headersOf = (person: Person): Record<string, string> => ({ ...person.api.credentials })
    await app.database.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('userid', '=', expired.userid)
      .execute()
    await ended.api.ask(logout, {})
    sessions = {
      nobody: {},
      'a wrong token': { ...headersOf(owner), token: 'wrong' },
      'the token of another account': { ...headersOf(other), userid: owner.userid },
      'an expired session': headersOf(expired),
      'a session that was ended': headersOf(ended),
    }
  })
  const ways = [
    'nobody',
    'a wrong token',
    'the token of another account',
    'an expired session',
    'a session that was ended',
  ]
  const endpoints = [
    ...calls.filter((call) => call.auth === 'account').map((call) => `POST ${call.path}`),
    ...Object.keys(endpointRows).filter((endpoint) => endpointRows[endpoint] === 'account'),
  ]

  it.each(endpoints)('%s is refused to everybody, whatever is sent along', async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ')
    for (const way of ways) {
      const headers = { ...sessions[way], ...(method === 'POST' && { 'content-type': 'application/json' }) }
      const response = await fetch(app.origin + path, { method, headers, ...(method === 'POST' && { body: '{}' }) })
      expect([way, await response.json()]).toEqual([way, expect.objectContaining({ code: codes.signedOut })])
    }
  })

  it.each(callsThat('open'))('%s answers', async (_, call) => {
    const answer = await createApiClient(app.origin).send(call, bodyOf(call, nobodys) as never)
    expect(answer.code).not.toBe(codes.signedOut)
  })
})
