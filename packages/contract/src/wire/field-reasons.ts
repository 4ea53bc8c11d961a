/**
 * What our own checks of fields say, in both languages. A schema carries the English sentence, as its messages cannot
 * depend on the reader; who answers a reader looks up theirs. Limits are told by
 * `field-limits.ts`, checks without a sentence here by zod's own locales.
 */
import type { Locale } from './constants.ts'

const fieldReasons = {
  clusterId: { 'en-US': 'must be an id that starts with cl_', 'zh-CN': '必须是以 cl_ 开头的 ID' },
  instanceId: { 'en-US': 'must be an id that starts with in_', 'zh-CN': '必须是以 in_ 开头的 ID' },
  operationId: { 'en-US': 'must be an id that starts with op_', 'zh-CN': '必须是以 op_ 开头的 ID' },
  sessionId: { 'en-US': 'must be an id that starts with ss_', 'zh-CN': '必须是以 ss_ 开头的 ID' },
  objectId: { 'en-US': 'must be the id of an object', 'zh-CN': '必须是对象的 ID' },
  requestId: {
    'en-US': 'must be letters, digits, hyphens and underscores',
    'zh-CN': '只能包含字母、数字、连字符与下划线',
  },
  did: { 'en-US': 'must be a did:key of an Ed25519 key', 'zh-CN': '必须是 Ed25519 密钥的 did:key' },
  jws: { 'en-US': 'must be a compact JWS', 'zh-CN': '必须是紧凑格式的 JWS' },
  signInSecret: { 'en-US': 'must be 32 hex characters', 'zh-CN': '必须是 32 个十六进制字符' },
  browserKey: { 'en-US': 'must be 64 hex characters', 'zh-CN': '必须是 64 个十六进制字符' },
  twoDigits: { 'en-US': 'must be two digits', 'zh-CN': '必须是两位数字' },
  scannedCode: { 'en-US': 'a scanned code cannot bind a name', 'zh-CN': '扫描得到的二维码不能用来绑定名称' },
  wholeNumber: { 'en-US': 'must be a whole number', 'zh-CN': '必须是整数' },
  trueOrFalse: { 'en-US': 'must be true or false', 'zh-CN': '必须为 true 或 false' },
  clusterType: { 'en-US': 'must be Cloud or SelfHost', 'zh-CN': '必须为 Cloud 或 SelfHost' },
  confirmed: { 'en-US': 'must be true', 'zh-CN': '必须为 true' },
  hostAndPort: { 'en-US': 'must be HOST or HOST:PORT', 'zh-CN': '必须写作“主机”或“主机:端口”' },
  hostName: { 'en-US': 'must be a host name', 'zh-CN': '必须是主机名' },
  tunnelToken: {
    'en-US': 'must be a tunnel token, as "cloudflared tunnel token" prints it',
    'zh-CN': '必须是隧道令牌，即 “cloudflared tunnel token” 的输出',
  },
  cloudflareMissing: {
    'en-US': 'is needed with reverseProxy cloudflare',
    'zh-CN': 'reverseProxy 为 cloudflare 时必须填写',
  },
  cloudflareOnly: {
    'en-US': 'goes with reverseProxy cloudflare only',
    'zh-CN': '仅在 reverseProxy 为 cloudflare 时可用',
  },
  directOnly: { 'en-US': 'goes with reverseProxy none only', 'zh-CN': '仅在 reverseProxy 为 none 时可用' },
} as const satisfies Record<string, Record<Locale, string>>

export type FieldReason = keyof typeof fieldReasons

/** The sentence of a check, as its schema carries it. */
export function fieldReason(reason: FieldReason): string {
  return fieldReasons[reason]['en-US']
}

/** A sentence that a schema gave, for a person who reads `locale`; one that is not of this catalogue as it is. */
export function fieldReasonIn(sentence: string, locale: Locale): string {
  const reason = Object.values(fieldReasons).find((candidate) => candidate['en-US'] === sentence)
  return reason?.[locale] ?? sentence
}
