import type { AuditRecord } from '@atoll/contract/audit'
import { reasonText } from '@atoll/texts/reasons'
import { expect, test } from 'vitest'
import type { Translate } from '../locales/text.ts'
import { describeChange } from './describe-change.ts'

const record = (before: AuditRecord['before'], after: AuditRecord['after']): AuditRecord => ({
  seq: 1,
  at: '2026-11-21T10:00:00.000Z',
  actor: null,
  sessionId: null,
  ip: null,
  action: 'cluster.start',
  object: { kind: 'cluster', id: 'cl_abcdefgh', name: 'Reef', owner: { userid: 'did:key:z', terminusName: null } },
  before,
  after,
  isErased: false,
})
/** The key's last part, as its text. */
const t: Translate = (key: string) => key.split('.').at(-1) ?? key

test.each([
  [{ status: 'stopped' }, { status: 'starting' }, ['Status: Stopped → Starting']],
  [null, { status: 'fetching', offering: 'tide-2', clusterId: 'cl_1' }, ['Status: Fetching', 'Size: tide-2']],
  [{ vCpuQuota: 16 }, { vCpuQuota: 16 }, []],
  [{ email: null }, { email: 'a@b.c' }, ['Email: none → a@b.c']],
  [{ avatar: 'f'.repeat(64) }, { avatar: null }, ['Picture: yes → none']],
  [{ avatar: 'f'.repeat(64) }, { avatar: 'e'.repeat(64) }, []],
  [null, { device: 'program', browser: null, system: null }, ['Device: Program']],
  [null, { reverseProxy: 'none', status: 'fetching' }, ['Status: Fetching', 'Reverse proxy: None']],
  [null, { offering: 'x'.repeat(50) }, [`Size: ${'x'.repeat(40)}…`]],
  [{ canCreateCluster: false }, { canCreateCluster: true }, ['Can create clusters']],
  [{ canCreateCluster: true }, { canCreateCluster: false }, ['Cannot create clusters']],
  [null, { reason: '{"key":"machineSilent"}' }, [`Reason: ${reasonText({ key: 'machineSilent' }, 'en-US')}`]],
  // As staff write it.
  [null, { reason: 'asked by mail' }, ['Reason: asked by mail']],
  [null, { amount: '-1234.5', currency: 'usd' }, ['Amount: −$1,234.50']],
  [{ spendCap: '10.00', currency: 'cny' }, { spendCap: '20.00', currency: 'cny' }, ['Usage cap: ¥10.00 → ¥20.00']],
  [{ spendCap: '10.00', currency: 'usd' }, { spendCap: null }, ['Usage cap: $10.00 → none']],
  // As older records keep it.
  [{ spendCap: null }, { spendCap: '$10.00' }, ['Usage cap: none → $10.00']],
  [null, null, []],
])('a change from %j to %j is told in words', (before, after, lines) => {
  expect(describeChange(record(before, after), t, 'en-US')).toEqual(lines)
})

test('in Chinese, with its own punctuation', () => {
  expect(describeChange(record({ role: 'User' }, { role: 'Admin' }), t, 'zh-CN')).toEqual(['角色：普通用户 → 管理员'])
})
