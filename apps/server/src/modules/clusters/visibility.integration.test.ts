import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDid } from '../accounts/index.ts'
import { createDomainHarness, type DomainHarness } from '../domains/testing/domain-harness.ts'
import { mayActFor, openTo, type Viewer, visibleTo } from './visibility.ts'

let harness: DomainHarness
beforeAll(async () => {
  harness = await createDomainHarness()
})
afterAll(() => harness[Symbol.asyncDispose]())

test('the owner of a domain sees what its members own and acts on none of it; an Admin does both', async () => {
  const [admin, member, stranger] = [
    await harness.createCaller(),
    await harness.createCaller(),
    await harness.createCaller(),
  ]
  const now = harness.clock.now()
  const { number } = await harness.db
    .insertInto('domains')
    .values({
      userid: admin.userid,
      name: 'team.example',
      is_apex: false,
      method: 'cname',
      status: 'ALLOCATED',
      txt_token: 'x',
      proven_at: now,
      checks_since: now,
      created_at: now,
      updated_at: now,
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  const joined = {
    domain: number,
    name: 'kai',
    did: await getDid(harness.db, member.userid),
    created_at: now,
    joined_at: now,
  }
  await harness.db
    .insertInto('domain_members')
    .values([joined, { domain: number, name: 'moa', created_at: now }])
    .execute()
  const owners = async (viewer: Viewer, may: typeof visibleTo) => {
    const query = harness.db.selectFrom('accounts').select('account_id')
    const rows = await query.where((from) => may(viewer, from.ref('account_id'))).execute()
    return rows.map((row) => row.account_id).toSorted()
  }
  const all = [admin, member, stranger].map(({ userid }) => userid).toSorted()
  expect(await owners(admin, visibleTo)).toEqual([admin.userid, member.userid].toSorted())
  expect(await owners(admin, openTo)).toEqual([admin.userid])
  expect(mayActFor(admin, member.userid)).toBe(false)
  expect(await owners(member, visibleTo)).toEqual([member.userid])
  expect(await owners(stranger, visibleTo)).toEqual([stranger.userid])
  expect(await owners({ ...stranger, role: 'Admin' }, openTo)).toEqual(all)
  const beside = { ...stranger, role: 'Admin', hasStaff: true } as const
  expect(await owners(beside, visibleTo)).toEqual(all)
  expect(await owners(beside, openTo)).toEqual([stranger.userid])
  expect([mayActFor(beside, member.userid), mayActFor(beside, stranger.userid)]).toEqual([false, true])
  await harness.db.updateTable('domains').set({ released_at: now }).where('number', '=', number).execute()
  expect(await owners(admin, visibleTo)).toEqual([admin.userid])
})
