/**
 * Texts of our own field checks. A schema's message is the key of the row, since it cannot depend on the reader; the
 * code that answers a reader looks the key up (`api/field-reasons.ts`). Messages of limits are in `field-limits.ts`, of
 * other checks in `field-issues.ts`.
 */
import { type Words, words } from './words.ts'

export type FieldReasons = Record<string, Words>

export const wireFieldReasons = {
  clusterId: words('must be an id that starts with cl_', '必须是以 cl_ 开头的 ID'),
  instanceId: words('must be an id that starts with in_', '必须是以 in_ 开头的 ID'),
  operationId: words('must be an id that starts with op_', '必须是以 op_ 开头的 ID'),
  sessionId: words('must be an id that starts with ss_', '必须是以 ss_ 开头的 ID'),
  requestId: words('must be letters, digits, hyphens and underscores', '只能包含字母、数字、连字符与下划线'),
  did: words('must be a did:key of an Ed25519 key', '必须是 Ed25519 密钥的 did:key'),
  jsonObject: words('must be an object, as JSON text', '必须是以 JSON 文本表示的对象'),
  jws: words('must be a compact JWS', '必须是紧凑格式的 JWS'),
  wholeNumber: words('must be a whole number', '必须是整数'),
  storableText: words('must not contain a null character or half of a character', '不能包含空字符或不完整的字符'),
  timeOutside: words('must be a time before the year 10000, in UTC', '必须是 UTC 10000 年以前的时间'),
  timeZone: words('must be a time zone such as Europe/Berlin', '必须是时区，例如 Asia/Shanghai'),
  trueOrFalse: words('must be true or false', '必须为 true 或 false'),
} as const satisfies FieldReasons

export type WireFieldReason = keyof typeof wireFieldReasons
