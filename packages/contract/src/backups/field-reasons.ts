/** What this module's own checks of fields say, by the key that its schemas carry as their message. */
import type { FieldReasons } from '../wire/field-reasons.ts'

export const backupsFieldReasons = {
  backupId: { 'en-US': 'must be an id that starts with bk_', 'zh-CN': '必须是以 bk_ 开头的 ID' },
  snapshotId: { 'en-US': 'must be an id that starts with sn_', 'zh-CN': '必须是以 sn_ 开头的 ID' },
  restoreId: { 'en-US': 'must be an id that starts with rs_', 'zh-CN': '必须是以 rs_ 开头的 ID' },
  clientBackupId: {
    'en-US': 'must be 1 to 100 letters, digits, dots, hyphens or underscores, and not start with bk_',
    'zh-CN': '必须是 1 到 100 个字母、数字、点、连字符或下划线，且不以 bk_ 开头',
  },
  anyBackupId: { 'en-US': 'must be the id of a backup', 'zh-CN': '必须是备份的 ID' },
  encodedId: { 'en-US': 'must be an id in base64', 'zh-CN': '必须是 base64 编码的 ID' },
  grantDuration: { 'en-US': 'must be 900 to 43200 seconds', 'zh-CN': '必须为 900 到 43200 秒' },
  quarterHour: { 'en-US': 'must fall on a quarter of an hour', 'zh-CN': '必须是整刻钟' },
  timeZone: { 'en-US': 'must be a time zone such as Europe/Berlin', 'zh-CN': '必须是时区，例如 Asia/Shanghai' },
  keepNothing: { 'en-US': 'must keep at least one snapshot', 'zh-CN': '至少要保留一个快照' },
  drivePath: {
    'en-US': 'must be a path from the root of the drive, such as /photos, without . and ..',
    'zh-CN': '必须是从云盘根目录开始的路径，例如 /photos，且不含 . 和 ..',
  },
  backupName: { 'en-US': 'must be one line of text', 'zh-CN': '必须是单行文本' },
  sealedPassword: {
    'en-US': 'must be a password sealed to the machine’s key (a compact JWE)',
    'zh-CN': '必须是用机器密钥封装的密码（紧凑格式的 JWE）',
  },
  plainPassword: {
    'en-US': 'never send a password in the clear; seal it to the machine’s key and send it as box',
    'zh-CN': '不要明文发送密码；请用机器的密钥封装后以 box 发送',
  },
} as const satisfies FieldReasons

export type BackupsFieldReason = keyof typeof backupsFieldReasons
