import { request } from 'node:http'
import { avatarLimitBytes, avatarRemove, avatarSet, userInfo } from '@atoll/contract/accounts'
import { codes } from '@atoll/contract/wire'
import { createApiClient, createScriptedWallet, until } from '@atoll/testkit'
import { errorMessage } from '@atoll/texts/refusals'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceApp, startServiceApp } from '../service-app.fixture.ts'
import { findAccountOfDid, lockAccount } from '../stores/account-store.ts'

let app: ServiceApp
beforeAll(async () => {
  app = await startServiceApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function signIn() {
  return createApiClient(app.origin, await createScriptedWallet().signIn(app.origin))
}
const picture = async (background = '#0A6672') =>
  (
    await sharp({ create: { width: 400, height: 300, channels: 3, background } })
      .png()
      .toBuffer()
  ).toString('base64url')
/** Where this server serves what it calls by its public address. */
const here = (avatar: string | null) => `${app.origin}${new URL(avatar ?? '').pathname}`

describe('an uploaded picture', () => {
  test('is shown to everyone by an address that may be kept for ever, and changes with the picture', async () => {
    const api = await signIn()
    const { avatar } = await api.ask(avatarSet, { image: await picture() })
    expect(await api.ask(userInfo, {})).toMatchObject({ avatar })
    const response = await fetch(here(avatar))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await api.ask(avatarSet, { image: await picture('#C4432F') })).avatar).not.toBe(avatar)
    expect((await fetch(here(avatar))).status).toBe(404)
  })

  test('can be removed, twice', async () => {
    const api = await signIn()
    const { avatar } = await api.ask(avatarSet, { image: await picture('#123456') })
    await api.ask(avatarRemove, {})
    await api.ask(avatarRemove, {})
    expect(await api.ask(userInfo, {})).toMatchObject({ avatar: null })
    expect((await fetch(here(avatar))).status).toBe(404)
  })

  test('that is removed while it is being set is shown and served, or neither', async () => {
    const api = await signIn()
    const waiting = async (count: number) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
      return rows[0]?.count === count
    }
    const both = await app.db.transaction().execute(async (trx) => {
      await lockAccount(trx, (await findAccountOfDid(trx, api.credentials?.userid ?? '')) ?? '')
      const set = api.ask(avatarSet, { image: await picture('#2468AC') })
      await until('the one waits', () => waiting(1))
      const removed = api.ask(avatarRemove, {})
      await until('the other one waits', () => waiting(2))
      return { set, removed }
    })
    const { avatar } = await both.set
    await both.removed
    const shown = (await api.ask(userInfo, {})).avatar
    expect((await fetch(here(avatar))).status).toBe(shown === null ? 404 : 200)
  })

  test.each(['form', 'json'] as const)('comes as %s, in either alphabet', async (body) => {
    const api = await signIn()
    const image = Buffer.from(await picture('#654321'), 'base64url').toString('base64')
    expect(await api.send(avatarSet, { image }, { body })).toMatchObject({ code: codes.ok })
  })

  test.each(['/avatars/', '/avatars/x.webp', `/avatars/${'0'.repeat(64)}.webp`, '/avatars/..%2fsecret.key'])(
    'is not at %s',
    async (path) => expect((await fetch(`${app.origin}${path}`)).status).toBe(404),
  )
})

describe('refused is', () => {
  test('a picture of more than the limit, in words', async () => {
    const api = await signIn()
    const image = Buffer.alloc(avatarLimitBytes + 3, 0xff).toString('base64url')
    const answer = await api.send(avatarSet, { image }, { body: 'json' })
    expect(answer.message).toBe(errorMessage('avatarTooLarge', 'en-US', { megabytes: 5 }))
  })

  test('50 MB before they have all arrived', async () => {
    const api = await signIn()
    const answer = await sendHalf(api.credentials, 50 * 1024 * 1024)
    expect(answer).toMatchObject({ code: codes.tooLarge })
  })

  test('a large body of nobody, unread', async () => {
    expect(await sendHalf({ userid: 'did:key:nobody', token: 'x' }, 4 * 1024 * 1024)).toMatchObject({
      code: codes.signedOut,
    })
  })

  test('text that is no base64', async () => {
    const api = await signIn()
    expect(await api.send(avatarSet, { image: '<svg>' })).toMatchObject({
      message: errorMessage('avatarNotPicture', 'en-US'),
    })
  })
})

/** Announces a body of that size and sends only its start: an answer proves that the rest was not waited for. */
async function sendHalf(credentials: { userid: string; token: string } | undefined, size: number): Promise<unknown> {
  return await new Promise((resolve, reject) => {
    const headers = { ...credentials, 'content-type': 'application/json', 'content-length': size }
    const asking = request(`${app.origin}${avatarSet.path}`, { method: 'POST', headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        asking.destroy()
        resolve(JSON.parse(Buffer.concat(parts).toString()))
      })
    })
    asking.on('error', reject)
    asking.write('{"image":"')
  })
}
