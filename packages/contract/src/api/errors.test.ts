import { describe, expect, test } from 'vitest'
import { accountsFieldReasons } from '../accounts/field-reasons.ts'
import { accountsRefusals } from '../accounts/refusals.ts'
import { signInRefusals } from '../accounts/sign-in-refusals.ts'
import { agentsRefusals } from '../agents/refusals.ts'
import { auditFieldReasons } from '../audit/field-reasons.ts'
import { auditRefusals } from '../audit/refusals.ts'
import { backupsFieldReasons } from '../backups/field-reasons.ts'
import { backupsReasons } from '../backups/reasons.ts'
import { backupsRefusals } from '../backups/refusals.ts'
import { billingRefusals } from '../billing/refusals.ts'
import { actionRefusals } from '../clusters/action-refusals.ts'
import { clustersFieldReasons } from '../clusters/field-reasons.ts'
import { clustersReasons } from '../clusters/reasons.ts'
import { clustersRefusals } from '../clusters/refusals.ts'
import { identityFieldReasons } from '../identity/field-reasons.ts'
import { identityRefusals } from '../identity/refusals.ts'
import { locales } from '../wire/constants.ts'
import { codes } from '../wire/envelope.ts'
import { wireFieldReasons } from '../wire/field-reasons.ts'
import { wireReasons } from '../wire/reasons.ts'
import { wireRefusals } from '../wire/refusals.ts'
import { type ErrorKey, errorCatalogue, errorMessage } from './errors.ts'
import { fieldReasonIn } from './field-reasons.ts'
import { isForPrograms } from './for-programs.ts'

const entries = Object.entries(errorCatalogue) as [ErrorKey, (typeof errorCatalogue)[ErrorKey]][]

function parametersOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort()
}

describe('the error catalogue', () => {
  test.each(entries)('%s has a code and a sentence in each language with the same parameters', (_, entry) => {
    expect(Object.values(codes)).toContain(entry.code)
    expect(entry.code).not.toBe(codes.ok)
    for (const locale of locales) expect(entry[locale].trim()).toMatch(/\S{2,}/)
    expect(entry['zh-CN']).toMatch(/\p{Script=Han}|^\{field\}：\{reason\}$/u)
    expect(parametersOf(entry['zh-CN'])).toEqual(parametersOf(entry['en-US']))
  })

  test('says each thing once', () => {
    for (const locale of locales) {
      const texts = entries.map(([, entry]) => entry[locale])
      expect(new Set(texts).size).toBe(texts.length)
    }
  })

  test('has the texts of the specification letter for letter', () => {
    expect(errorCatalogue.serverError['en-US']).toBe('Something Wrong. Please try again!')
    expect(errorCatalogue.domainMissing['en-US']).toBe('Please input domain name')
    expect(errorCatalogue.domainDidNamed['en-US']).toBe('The current DID cannot be linked to a new domain')
    expect(errorCatalogue.codeExpired['en-US']).toBe('QR code has expired. Please refresh.')
    expect(errorCatalogue.createNotPermitted['en-US']).toBe(
      'Unfortunately, you do not have permission to create an {product}.',
    )
  })

  test('names a missing parameter instead of writing undefined', () => {
    expect(errorMessage('nameTaken', 'en-US', { name: 'reef@atoll.test' })).toBe(
      'reef@atoll.test is taken. Choose another name.',
    )
    expect(errorMessage('nameTaken', 'en-US')).toContain('{name}')
  })

  test('speaks of fields by their wire names only where a program is at fault', () => {
    const programs = ['body', 'jws', 'did', 'requestId', '{field}']
    for (const [key, entry] of entries) {
      for (const locale of locales) {
        const field = /^([\w{}[\]-]+)[:：]/.exec(entry[locale])?.[1]
        if (field !== undefined) expect(programs, key).toContain(field)
      }
    }
    expect(isForPrograms(errorMessage('badParameter', 'zh-CN', { field: 'a[b][0]', reason: '格式不正确' }))).toBe(true)
    expect(isForPrograms(errorMessage('avatarNotPicture', 'en-US'))).toBe(false)
  })

  test('does not fill what a parameter’s own text contains', () => {
    expect(errorMessage('badParameter', 'en-US', { field: '{reason}', reason: 'r' })).toBe('{reason}: r')
  })

  test('does not read inherited names as parameters', () => {
    expect(errorMessage('notFound', 'en-US', {})).not.toContain('native code')
  })

  test('names what there is none of in the reader’s language', () => {
    expect(errorMessage('notFound', 'en-US', { object: 'session' })).toBe('There is no such session.')
    expect(errorMessage('notFound', 'zh-CN', { object: 'session' })).toBe('不存在这个对象（登录会话）。')
  })

  test('names a status and an action in the reader’s language', () => {
    const params = { status: 'stopped', action: 'stop' }
    expect(errorMessage('actionRefused', 'en-US', params)).toBe('It cannot be stopped while it is Stopped.')
    expect(errorMessage('actionRefused', 'zh-CN', params)).toBe('状态为“已停止”时不能执行“停止”。')
  })
})

describe('what is joined of the modules', () => {
  const tables = {
    refusals: [
      wireRefusals,
      accountsRefusals,
      agentsRefusals,
      auditRefusals,
      backupsRefusals,
      billingRefusals,
      clustersRefusals,
      identityRefusals,
    ],
    reasons: [wireReasons, backupsReasons, clustersReasons],
    'reasons of fields': [
      wireFieldReasons,
      accountsFieldReasons,
      auditFieldReasons,
      backupsFieldReasons,
      clustersFieldReasons,
      identityFieldReasons,
    ],
  }
  test.each(Object.entries(tables))('%s: no module takes the key of another', (_, modules) => {
    const keys = modules.flatMap((rows) => Object.keys(rows))
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('rows that a module spreads take none of its own keys', () => {
    expect(accountsRefusals).toMatchObject(signInRefusals)
    expect(clustersRefusals).toMatchObject(actionRefusals)
  })

  test('a field’s reason is found by its key, and another message stays as it is', () => {
    expect(fieldReasonIn('hostAndPort', 'zh-CN')).toBe(clustersFieldReasons.hostAndPort['zh-CN'])
    expect(fieldReasonIn('jws', 'en-US')).toBe('must be a compact JWS')
    expect(fieldReasonIn('toString', 'en-US')).toBe('toString')
  })
})
