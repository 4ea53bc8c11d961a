import { accountExportsPath, logout } from '@atoll/contract/accounts'
import { auditExportPath } from '@atoll/contract/audit'
import { invoiceFilesPath, invoicesExportPath, statementPath, usageExportPath } from '@atoll/contract/billing'
import { bookLists, booksPath, customersExportPath, invoicesZipPath } from '@atoll/contract/staff'
import { codes, eventsPath, needsSession } from '@atoll/contract/wire'
import { createApiClient } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callBodies } from './call-bodies.fixture.ts'
import { nobodys } from './testing/owned-ids.ts'
import { bodyOf, calls, callsThat } from './testing/table-calls.ts'
import { openTestApp, type Person, type TestApp } from './testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** Endpoints that are no calls and ask for an account's session. */
const accountEndpoints = [
  `GET ${eventsPath}`,
  `POST ${auditExportPath}`,
  `POST ${customersExportPath}`,
  ...bookLists.map((list) => `POST ${booksPath(list)}`),
  `POST ${invoicesZipPath}`,
  `POST ${invoicesExportPath}`,
  `POST ${usageExportPath}`,
  `GET ${invoiceFilesPath}/:file`,
  `GET ${statementPath}`,
  `GET ${accountExportsPath}/:file`,
]

describe('the definitions', () => {
  it('are of every call that is mounted, and of none besides', () => {
    expect(app.system.routes.map((route) => route.call.name).sort()).toEqual(calls.map((call) => call.name).sort())
  })

  it('name the calls that a test has a body for', () => {
    const names = calls.map(({ name }) => name)
    expect(Object.keys(callBodies).filter((name) => !names.includes(name))).toEqual([])
  })

  it('say of every other endpoint who may use it, or why everybody may', () => {
    const paths = new Set(calls.map((call) => `POST ${call.path}`))
    const others = [...app.mounted].filter(([endpoint]) => !paths.has(endpoint))
    const asking = others.filter(([, access]) => access?.reach === 'account').map(([endpoint]) => endpoint)
    expect(asking.sort()).toEqual(accountEndpoints.toSorted())
    const silent = others.filter(([, access]) => !access?.reach && !access?.openBecause).map(([endpoint]) => endpoint)
    // The pages' files, and preflights of other origins.
    expect(silent.sort()).toEqual(['GET /*', 'OPTIONS *'])
    expect(others.length).toBeGreaterThan(30)
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
      'the token of another account': { ...headersOf(other), userid: owner.did },
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
    ...calls.filter((call) => needsSession(call.reach)).map((call) => `POST ${call.path}`),
    ...accountEndpoints,
  ]

  it.each(endpoints)('%s is refused to everybody, whatever is sent along', async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ')
    for (const way of ways) {
      const headers = { ...sessions[way], ...(method === 'POST' && { 'content-type': 'application/json' }) }
      const response = await fetch(app.origin + path, { method, headers, ...(method === 'POST' && { body: '{}' }) })
      expect([way, await response.json()]).toEqual([way, expect.objectContaining({ code: codes.signedOut })])
    }
  })

  it.each(callsThat('anyone'))('%s answers', async (_, call) => {
    const answer = await createApiClient(app.origin).send(call, bodyOf(call, nobodys) as never)
    expect(answer.code).not.toBe(codes.signedOut)
  })
})
