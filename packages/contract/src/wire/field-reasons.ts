/**
 * What our own checks of fields say. A schema's message is the key of the row, as it cannot depend on the reader;
 * whoever answers a reader looks the key up (`api/field-reasons.ts`). Messages of limits are in `field-limits.ts`, of
 * other checks in `field-issues.ts`.
 */
import type { Locale } from './constants.ts'

export type FieldReasons = Record<string, Record<Locale, string>>

export const wireFieldReasons = {
  clusterId: { 'en-US': 'must be an id that starts with cl_', 'zh-CN': '必须是以 cl_ 开头的 ID' },
  instanceId: { 'en-US': 'must be an id that starts with in_', 'zh-CN': '必须是以 in_ 开头的 ID' },
  operationId: { 'en-US': 'must be an id that starts with op_', 'zh-CN': '必须是以 op_ 开头的 ID' },
  sessionId: { 'en-US': 'must be an id that starts with ss_', 'zh-CN': '必须是以 ss_ 开头的 ID' },
  requestId: {
    'en-US': 'must be letters, digits, hyphens and underscores',
    'zh-CN': '只能包含字母、数字、连字符与下划线',
  },
  did: { 'en-US': 'must be a did:key of an Ed25519 key', 'zh-CN': '必须是 Ed25519 密钥的 did:key' },
  jws: { 'en-US': 'must be a compact JWS', 'zh-CN': '必须是紧凑格式的 JWS' },
  wholeNumber: { 'en-US': 'must be a whole number', 'zh-CN': '必须是整数' },
  trueOrFalse: { 'en-US': 'must be true or false', 'zh-CN': '必须为 true 或 false' },
} as const satisfies FieldReasons

export type WireFieldReason = keyof typeof wireFieldReasons
