import { createScriptedWallet } from '@atoll/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHome } from '../kernel/home.ts'
import { createLog } from '../kernel/log.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { openStateStore, type StateStore } from '../kernel/state-store.ts'
import { config, createTestFolder, seedHome, stateWith, type TestFolder } from '../testing/seeded-home.ts'
import { type Activation, createActivation } from './activation.ts'
import { matchesPassword } from './password-hash.ts'

const owner = createScriptedWallet()
const seconds = 1000
let folder: TestFolder
let store: StateStore
let activation: Activation
let now: number
let monotonic: number

beforeEach(async () => {
  folder = await createTestFolder()
  await seedHome(
    folder.path,
    stateWith({ config: { ...config, owner: { ...config.owner, did: owner.did } }, handoverNonce: 'nonce' }),
  )
  store = await openStateStore(await openHome(folder.path))
  now = Date.now()
  monotonic = 0
  activation = start()
})
afterEach(() => folder[Symbol.asyncDispose]())

function start(): Activation {
  const log = createLog({ write: () => undefined })
  return createActivation({ store, agentToken: 'token', log, now: () => now, monotonicMs: () => monotonic })
}

function begin() {
  return activation.begin('visitor', activation.oneTimePassword() ?? '')
}

async function approve(signRequest: string): Promise<number> {
  return (await activation.approve(owner.approval(owner.read(signRequest)), 'en-US')).code
}

function codeOf(error: unknown): string {
  if (error instanceof HttpProblem) return error.code
  throw error
}

describe('a code', () => {
  test('is good for 120 s, and for 30 more for clocks that differ', async () => {
    const begun = begin()
    expect(begun.expiresAt).toBe(now + 120 * seconds)
    now += 149 * seconds
    expect(await approve(begun.signRequest)).toBe(200)
  })

  test('is refused after that, and a new one is not', async () => {
    const begun = begin()
    now += 151 * seconds
    expect(await approve(begun.signRequest)).toBe(403)
    expect(await approve(begin().signRequest)).toBe(200)
  })

  test('of a ticket of an agent that was restarted is unknown', async () => {
    const begun = begin()
    activation = start()
    expect(await approve(begun.signRequest)).toBe(403)
    expect(await activation.readState(begun.ticket, 0).catch(codeOf)).toBe('ticketUnknown')
  })

  test('given in twice at once is approved once', async () => {
    const { signRequest } = begin()
    const answers = await Promise.all(Array.from({ length: 5 }, () => approve(signRequest)))
    expect(answers.sort()).toEqual([200, 409, 409, 409, 409])
  })
})

describe('a ticket', () => {
  test('waits for its approval, and answers at once', async () => {
    const { ticket, signRequest } = begin()
    const waiting = activation.readState(ticket, 60_000)
    await approve(signRequest)
    expect(await waiting).toBe(true)
  })

  test('gives its owner a quarter of an hour to think of a password', async () => {
    const { ticket, signRequest } = begin()
    await approve(signRequest)
    now += 15 * 60 * seconds
    await activation.finish(ticket, 'a new password')
    const { account, handoverNonce } = store.current
    expect(await matchesPassword('a new password', account?.passwordHash ?? '')).toBe(true)
    expect(handoverNonce).toBeNull()
    expect(activation.oneTimePassword()).toBeNull()
  })

  test('sets one password, when it is asked to set two', async () => {
    const { ticket, signRequest } = begin()
    await approve(signRequest)
    const finished = await Promise.allSettled(
      ['password one', 'password two'].map((password) => activation.finish(ticket, password)),
    )
    expect(finished.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('of which there are too many takes the place of the oldest', async () => {
    const first = begin()
    for (let at = 0; at < 50; at++) begin()
    expect(await activation.readState(first.ticket, 0).catch(codeOf)).toBe('ticketUnknown')
  })
})

test('five wrong passwords are enough for a quarter of an hour, also with the right one then', () => {
  for (let at = 0; at < 5; at++) expect(() => activation.begin('visitor', 'wrong')).toThrow('not the one-time password')
  expect(begin).toThrow('Too many attempts')
  expect(activation.begin('another visitor', activation.oneTimePassword() ?? '')).toBeDefined()
  // Whatever is done to the wall's clock meanwhile.
  now -= 16 * 24 * 3600 * seconds
  expect(begin).toThrow('Too many attempts')
  monotonic += 15 * 60 * seconds
  expect(begin()).toBeDefined()
})

describe('a password that was forgotten', () => {
  async function activate(password: string): Promise<void> {
    const { ticket, signRequest } = begin()
    expect(await approve(signRequest)).toBe(200)
    await activation.finish(ticket, password)
  }
  const opens = (password: string) => matchesPassword(password, store.current.account?.passwordHash ?? '')

  test('is replaced with a new one-time password and the owner’s signature; the old one works until then', async () => {
    const first = activation.oneTimePassword()
    await activate('three quiet lagoons')
    const { activatedAt } = store.current.account ?? {}
    expect(activation.oneTimePassword()).toBeNull()
    now += 1000

    await activation.rotate('op_1')
    const second = activation.oneTimePassword()
    expect(second).not.toBeNull()
    expect(second).not.toBe(first)
    expect(await opens('three quiet lagoons')).toBe(true)

    await activate('four louder lagoons')
    expect(activation.oneTimePassword()).toBeNull()
    expect(await opens('four louder lagoons')).toBe(true)
    expect(await opens('three quiet lagoons')).toBe(false)
    expect(store.current.account?.activatedAt).toBe(activatedAt)
  })

  test('gets one one-time password for each request, however often it is repeated, also after a restart', async () => {
    await activate('three quiet lagoons')
    await activation.rotate('op_1')
    const made = activation.oneTimePassword()
    await activation.rotate('op_1')
    store = await openStateStore(await openHome(folder.path))
    activation = start()
    await activation.rotate('op_1')
    expect(activation.oneTimePassword()).toBe(made)
    await activation.rotate('op_2')
    expect(activation.oneTimePassword()).not.toBe(made)
  })

  test('ends the codes that the one-time password before it opened', async () => {
    await activate('three quiet lagoons')
    await activation.rotate('op_1')
    const begun = begin()
    await activation.rotate('op_2')
    expect(await approve(begun.signRequest)).toBe(403)
    expect(await activation.readState(begun.ticket, 0).catch(codeOf)).toBe('ticketUnknown')
  })

  test('is not asked for before there is one: the one-time password of the hand-over stands', async () => {
    const handedOver = activation.oneTimePassword()
    await activation.rotate('op_1')
    expect(activation.oneTimePassword()).toBe(handedOver)
  })
})
