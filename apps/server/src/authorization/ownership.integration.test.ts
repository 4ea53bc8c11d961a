import { instanceDetails, selfHostCommand } from '@atoll/contract/clusters'
import { type Call, codes } from '@atoll/contract/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ids } from './call-bodies.fixture.ts'
import { createIds, nobodys, stateOf } from './testing/owned-ids.ts'
import { callsThat, denials, mentions, send } from './testing/table-calls.ts'
import { openTestApp, type Person, type TestApp } from './testing/test-app.ts'

let app: TestApp
/** One whom the others try to reach: nothing they ask may change what is theirs, so that all of them can try it. */
let owner: Person
let ids: Ids
/** Those who are denied; what they may do to themselves is asked by somebody new each time. */
let stranger: Person
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  ;[owner, stranger, admin] = await Promise.all([app.createPerson(), app.createPerson(), app.createPerson('Admin')])
  ids = await createIds(app.database, owner)
})
afterAll(() => app[Symbol.asyncDispose]())

describe('somebody else', () => {
  it.each(callsThat('object', 'ownersOnly', 'private'))(
    'asks %s for what is not theirs and is answered as for what does not exist, and nothing happens',
    async (_, call) => {
      const before = await stateOf(app.database, owner.userid)
      const theirs = await send(stranger, call, ids)
      expect(theirs).toEqual(await send(stranger, call, nobodys))
      expect(theirs.code).toBe(codes.notFound)
      expect(await stateOf(app.database, owner.userid)).toEqual(before)
    },
  )

  it.each(callsThat('self', 'list'))('asks %s and learns and changes nothing of the owner’s', async (_, call) => {
    const person = await app.createPerson()
    const before = await stateOf(app.database, owner.userid)
    const answer = await send(person, call, ids)
    expect(denials).not.toContain(answer.code)
    expect(mentions(answer, ids)).toBe(false)
    expect(await stateOf(app.database, owner.userid)).toEqual(before)
  })
})

/** The newest records of what somebody did to what `owner` has. */
const recordsBy = (actor: string, owner: string) =>
  app.database.db
    .selectFrom('audit_entries')
    .select(['seq', 'action'])
    .where('actor', '=', actor)
    .where('owner', '=', owner)
    .orderBy('seq')
    .execute()

/** Asks as `person` for what is `owner`'s; whatever that changed is in the audit log, under the name of who asked. */
async function expectAllowed(person: Person, owner: Person, call: Call): Promise<void> {
  const ids = await createIds(app.database, owner)
  const [before, records] = await Promise.all([stateOf(app.database, owner.userid), recordsBy(person.did, owner.did)])
  const answer = await send(person, call, ids)
  expect([answer.message, denials.includes(answer.code)]).toEqual([answer.message, false])
  const changed = JSON.stringify(await stateOf(app.database, owner.userid)) !== JSON.stringify(before)
  const recorded = (await recordsBy(person.did, owner.did)).length - records.length
  // A change that is in none of these rows, such as a token, is recorded as well.
  if (changed) expect(recorded).toBeGreaterThan(0)
  if (call === selfHostCommand) expect(recorded).toBe(1)
}

describe('the owner', () => {
  it.each(callsThat('object', 'ownersOnly', 'private', 'self'))(
    'may %s, and what it changed is recorded',
    async (_, call) => {
      const person = await app.createPerson()
      await expectAllowed(person, person, call)
    },
  )

  it.each(callsThat('list'))('finds their own by %s', async (_, call) => {
    expect(mentions(await send(owner, call, ids), ids)).toBe(true)
  })
})

describe('an Admin', () => {
  it.each(callsThat('object'))('may %s what is another’s, and is named for it', async (_, call) => {
    const [owner, admin] = await Promise.all([app.createPerson(), app.createPerson('Admin')])
    await expectAllowed(admin, owner, call)
  })

  it.each(callsThat('ownersOnly'))('is told that only the owner may %s', async (_, call) => {
    const before = await stateOf(app.database, owner.userid)
    expect(await send(admin, call, ids)).toMatchObject({
      code: codes.forbidden,
      message: expect.stringContaining('owner'),
    })
    expect(await stateOf(app.database, owner.userid)).toEqual(before)
  })

  it.each(callsThat('private'))('finds nothing of another’s by %s', async (_, call) => {
    const before = await stateOf(app.database, owner.userid)
    expect(await send(admin, call, ids)).toEqual(await send(admin, call, nobodys))
    expect(await stateOf(app.database, owner.userid)).toEqual(before)
  })

  it.each(callsThat('list'))('sees everybody’s by %s', async (_, call) => {
    const [owner, admin] = await Promise.all([app.createPerson(), app.createPerson('Admin')])
    const ids = await createIds(app.database, owner)
    expect(mentions(await send(admin, call, ids), ids)).toBe(true)
  })

  it.each(callsThat('self'))('changes nothing of another’s by %s', async (_, call) => {
    const person = await app.createPerson('Admin')
    const before = await stateOf(app.database, owner.userid)
    await send(person, call, ids)
    expect(await stateOf(app.database, owner.userid)).toEqual(before)
  })

  it('who is one no more sees no more than anybody', async () => {
    const [owner, admin] = await Promise.all([app.createPerson(), app.createPerson('Admin')])
    const ids = await createIds(app.database, owner)
    await app.database.db.updateTable('accounts').set({ role: 'User' }).where('account_id', '=', admin.userid).execute()
    expect(await send(admin, instanceDetails, ids)).toMatchObject({ code: codes.notFound })
  })
})
