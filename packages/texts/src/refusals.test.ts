import { type ErrorKey, errorCatalogue, isForPrograms } from '@atoll/contract/api'
import { locales } from '@atoll/contract/wire'
import { describe, expect, test } from 'vitest'
import { errorMessage } from './refusals.ts'

const keys = Object.keys(errorCatalogue) as ErrorKey[] // it has no other keys

describe('the sentences of refusals', () => {
  test.each(keys)('%s has words in each language', (key) => {
    for (const locale of locales) expect(errorMessage(key, locale).trim()).toMatch(/\S{2,}/)
    expect(errorMessage(key, 'zh-CN')).toMatch(/\p{Script=Han}|^\{field\}：\{reason\}$/u)
  })

  test('say each thing once', () => {
    for (const locale of locales) expect(new Set(keys.map((key) => errorMessage(key, locale))).size).toBe(keys.length)
  })

  test('are the texts of the specification letter for letter', () => {
    expect(errorMessage('serverError', 'en-US')).toBe('Something Wrong. Please try again!')
    expect(errorMessage('domainMissing', 'en-US')).toBe('Please input domain name')
    expect(errorMessage('domainDidNamed', 'en-US')).toBe('The current DID cannot be linked to a new domain')
    expect(errorMessage('codeExpired', 'en-US')).toBe('QR code has expired. Please refresh.')
    expect(errorMessage('createNotPermitted', 'en-US')).toBe(
      'Unfortunately, you do not have permission to create an {product}.',
    )
    expect(errorMessage('slotUsed', 'en-US')).toBe('Time slot already used')
  })

  test('name a missing parameter instead of writing undefined', () => {
    expect(errorMessage('nameTaken', 'en-US', { name: 'reef@atoll.test' })).toBe(
      'reef@atoll.test is taken. Choose another name.',
    )
    expect(errorMessage('nameTaken', 'en-US')).toContain('{name}')
  })

  test('speak of fields by their wire names only where a program is at fault', () => {
    const programs = ['body', 'jws', 'did', 'requestId', '{field}']
    for (const key of keys) {
      for (const locale of locales) {
        const field = /^([\w{}[\]-]+)[:：]/.exec(errorMessage(key, locale))?.[1]
        if (field !== undefined) expect(programs, key).toContain(field)
      }
    }
    expect(isForPrograms(errorMessage('badParameter', 'zh-CN', { field: 'a[b][0]', reason: '格式不正确' }))).toBe(true)
    expect(isForPrograms(errorMessage('avatarNotPicture', 'en-US'))).toBe(false)
  })

  test('do not fill what a parameter’s own text contains', () => {
    expect(errorMessage('badParameter', 'en-US', { field: '{reason}', reason: 'r' })).toBe('{reason}: r')
  })

  test('do not read inherited names as parameters', () => {
    expect(errorMessage('notFound', 'en-US', {})).not.toContain('native code')
  })

  test('name what there is none of in the reader’s language', () => {
    expect(errorMessage('notFound', 'en-US', { object: 'session' })).toBe('There is no such session.')
    expect(errorMessage('notFound', 'zh-CN', { object: 'session' })).toBe('不存在这个对象（登录会话）。')
  })

  test('name a status and an action in the reader’s language', () => {
    const params = { status: 'stopped', action: 'stop' }
    expect(errorMessage('actionRefused', 'en-US', params)).toBe('It cannot be stopped while it is Stopped.')
    expect(errorMessage('actionRefused', 'zh-CN', params)).toBe('状态为“已停止”时不能执行“停止”。')
  })
})
