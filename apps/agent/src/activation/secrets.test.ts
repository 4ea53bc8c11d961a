import { describe, expect, test } from 'vitest'
import { deriveOneTimePassword, matchesOneTimePassword } from '../kernel/one-time-password.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { hashPassword, matchesPassword } from './password-hash.ts'
import { createTries } from './tries.ts'

describe('a one-time password', () => {
  test('is the same for the same token and nonce, and for no other', () => {
    const password = deriveOneTimePassword('token', 'nonce')
    expect(password).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
    expect(deriveOneTimePassword('token', 'nonce')).toBe(password)
    expect(deriveOneTimePassword('token', 'other')).not.toBe(password)
    expect(deriveOneTimePassword('other', 'nonce')).not.toBe(password)
  })

  test('matches as people type it', () => {
    expect(matchesOneTimePassword('10ab-CDEF-0123', '10AB-CDEF-0123')).toBe(true)
    expect(matchesOneTimePassword(' lOab cdef o123 ', '10AB-CDEF-0123')).toBe(true)
    expect(matchesOneTimePassword('10AB-CDEF-0124', '10AB-CDEF-0123')).toBe(false)
    expect(matchesOneTimePassword('', '10AB-CDEF-0123')).toBe(false)
  })
})

test('a password is stored as a salted hash that only it matches', async () => {
  const [one, two] = await Promise.all([hashPassword('pässword'), hashPassword('pässword')])
  expect(one).not.toBe(two)
  expect(one).not.toContain('ssword')
  expect(await matchesPassword('pässword'.normalize('NFD'), one)).toBe(true)
  expect(await matchesPassword('password', one)).toBe(false)
  await expect(matchesPassword('x', 'md5$x')).rejects.toThrow('unknown kind')
})

describe('tries', () => {
  let now = 0
  const refusal = (work: () => void) => {
    try {
      work()
      return undefined
    } catch (error) {
      return error instanceof HttpProblem ? error.retryAfterSeconds : error
    }
  }

  test('are limited per visitor, until the first is old enough', () => {
    const tries = createTries({ perVisitor: 3, overall: 100, windowMs: 60_000 }, () => now)
    for (let at = 0; at < 3; at++) tries.begin('a')
    expect(refusal(() => tries.begin('a'))).toBe(60)
    tries.begin('b')
    now += 60_000
    expect(refusal(() => tries.begin('a'))).toBeUndefined()
  })

  test('are limited over all, so many addresses gain nothing', () => {
    const tries = createTries({ perVisitor: 3, overall: 10, windowMs: 60_000 }, () => now)
    for (let at = 0; at < 10; at++) tries.begin(`visitor ${at}`)
    expect(refusal(() => tries.begin('another'))).toBe(60)
  })

  test('of strangers keep nobody out who is known, and the known have their own bound', () => {
    const tries = createTries({ perVisitor: 3, overall: 10, windowMs: 60_000 }, () => now)
    for (let at = 0; at < 10; at++) tries.begin(`visitor ${at}`)
    expect(refusal(() => tries.begin('stranger'))).toBe(60)
    for (let at = 0; at < 3; at++) tries.begin('owner', true)
    expect(refusal(() => tries.begin('owner', true))).toBe(60)
  })

  test('that succeed do not count', () => {
    const tries = createTries({ perVisitor: 2, overall: 3, windowMs: 60_000 }, () => now)
    for (let at = 0; at < 20; at++) {
      tries.begin('a')
      tries.succeed('a')
    }
  })
})
