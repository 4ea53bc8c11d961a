/** Texts of this module's own field checks, by the key that a schema carries as its message. */
import type { FieldReasons } from '../wire/field-reasons.ts'
import { words } from '../wire/words.ts'

export const backupsFieldReasons = {
  backupId: words('must be an id that starts with bk_', '必须是以 bk_ 开头的 ID'),
  snapshotId: words('must be an id that starts with sn_', '必须是以 sn_ 开头的 ID'),
  grantId: words('must be an id that starts with vg_', '必须是以 vg_ 开头的 ID'),
  restoreId: words('must be an id that starts with rs_', '必须是以 rs_ 开头的 ID'),
  clientBackupId: words(
    'must be 1 to 100 letters, digits, dots, hyphens or underscores, and not start with bk_',
    '必须是 1 到 100 个字母、数字、点、连字符或下划线，且不以 bk_ 开头',
  ),
  anyBackupId: words('must be the id of a backup', '必须是备份的 ID'),
  encodedId: words('must be an id in base64', '必须是 base64 编码的 ID'),
  grantDuration: words('must be 900 to 43200 seconds', '必须为 900 到 43200 秒'),
  quarterHour: words('must fall on a quarter of an hour', '必须是整刻钟'),
  keepNothing: words('must keep at least one snapshot', '至少要保留一个快照'),
  drivePath: words(
    'must be a path from the root of the drive, such as /photos, without . and ..',
    '必须是从云盘根目录开始的路径，例如 /photos，且不含 . 和 ..',
  ),
  backupName: words('must be one line of text', '必须是单行文本'),
  sealedPassword: words(
    'must be a password sealed to the machine’s key (a compact JWE)',
    '必须是用机器密钥封装的密码（紧凑格式的 JWE）',
  ),
  sealedBox: words(
    'must be encrypted to the machine’s key (a compact JWE) and not too long',
    '必须用机器的密钥加密（紧凑格式的 JWE），且不能过长',
  ),
  choiceNeeded: words('can only bring back chosen files', '只能恢复所选文件'),
  newFolderThere: words('can only be a new folder on another cluster', '在其他集群上只能恢复到新文件夹'),
  plainPassword: words(
    'never send a password in the clear; seal it to the machine’s key and send it as box',
    '不要明文发送密码；请用机器的密钥封装后以 box 发送',
  ),
} as const satisfies FieldReasons

export type BackupsFieldReason = keyof typeof backupsFieldReasons
