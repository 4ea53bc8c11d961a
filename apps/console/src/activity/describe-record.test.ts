import { type AuditAction, type AuditRecord, auditActions } from '@atoll/contract/audit'
import type { Locale } from '@atoll/contract/wire'
import { auditSentence } from '@atoll/texts/audit'
import { expect, test } from 'vitest'
import { describeRecord } from './describe-record.ts'

const texts: Record<string, string> = {
  'detail.byYou': 'you',
  'cluster.workerNumber': 'Worker 1',
  'activity.aWorker': 'a worker',
}

function describe(
  action: AuditAction,
  facts: { before?: AuditRecord['before']; after?: AuditRecord['after']; name?: string | null } = {},
  locale: Locale = 'en-US',
): string {
  const { before = null, after = null, name = 'Rangiroa' } = facts
  const owner = { userid: 'did:key:z', terminusName: null }
  const object = { kind: 'cluster' as const, id: 'cl_abcdefgh', name, owner }
  const record = {
    seq: 1,
    at: '',
    actor: null,
    sessionId: null,
    ip: null,
    action,
    object,
    before,
    after,
    isErased: false,
  }
  return describeRecord(record, {
    userid: 'did:key:z',
    locale,
    t: (key: string) => texts[key] ?? key,
    offeringTitle: () => 'Tide 2',
  })
}

test.each([
  ['instance.add', { after: { instance: 'worker-1', offering: 'tide-2' } }, 'Added Worker 1 (Tide 2) to Rangiroa'],
  ['instance.add', { after: { offering: 'tide-2' } }, 'Added a worker (Tide 2) to Rangiroa'],
  ['instance.join', { after: { instance: 'master' } }, 'A machine joined Rangiroa'],
  ['instance.lose', { after: { instance: 'worker-1' } }, 'Lost contact with Worker 1 of Rangiroa'],
  ['instance.lose', { after: { instance: 'master' } }, 'Lost contact with Rangiroa'],
  ['cluster.create', { after: { offering: null } }, 'Created Rangiroa'],
  ['cluster.activate', {}, 'Activated Rangiroa'],
  ['cluster.rename', { before: { clusterName: 'Reef' } }, 'Renamed Reef to Rangiroa'],
  ['account.setQuota', { before: { vCpuQuota: 16 }, after: { vCpuQuota: 2 } }, 'Set the vCPU quota for you to 2'],
  ['account.bindName', { before: { name: null }, after: { name: 'reef@a.b' }, name: null }, 'Bound the ID reef@a.b'],
  ['account.removeEmail', { before: { email: 'a@b.c' }, after: { email: null } }, 'Removed the email a@b.c'],
  [
    'invoice.credit',
    { after: { amount: '1005.43', currency: 'usd' } },
    'Refunded the unused part of Rangiroa: $1,005.43',
  ],
  ['account.debit', { after: { amount: '-5.00', currency: 'cny' } }, 'Took ¥5.00 from the balance of you'],
  ['plan.change', { before: { planLevel: 2 }, after: { planLevel: 1 } }, 'Changed the plan to Starter'],
  ['plan.setCap', { after: { spendCap: '20.00', currency: 'usd' } }, 'Set the usage cap to $20.00'],
  ['plan.setCap', { before: { spendCap: '20.00', currency: 'usd' }, after: { spendCap: null } }, 'Set the usage cap'],
] as const)('the record %s of %j is told in a sentence', (action, facts, sentence) => {
  expect(describe(action, facts)).toBe(sentence)
})

test('in Chinese, spaces stand only between Chinese and Latin', () => {
  texts['detail.byYou'] = '你'
  expect(describe('account.allowCreate', {}, 'zh-CN')).toBe('允许你创建集群')
  texts['cluster.workerNumber'] = '工作节点 1'
  expect(describe('instance.lose', { after: { instance: 'master' } }, 'zh-CN')).toBe('与 Rangiroa 失去联系')
  expect(describe('instance.lose', { after: { instance: 'worker-1' } }, 'zh-CN')).toBe(
    '与 Rangiroa 的工作节点 1 失去联系',
  )
})

test.each(auditActions)('%s leaves no brace or bracket in either language', (action) => {
  for (const locale of ['en-US', 'zh-CN'] as const) {
    expect(auditSentence(action, locale)).toBeTruthy()
    expect(describe(action, {}, locale)).not.toMatch(/[{}[\]]|\s$/)
  }
})
