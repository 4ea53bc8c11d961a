/** What a call about backups may be refused for. 'Time slot already used' is the specification's (§8). */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'

export const backupsRefusals = {
  slotUsed: { code: codes.conflict, field: 'schedule', 'en-US': 'Time slot already used', 'zh-CN': '该时间段已被占用' },
  backupsTooMany: {
    code: codes.conflict,
    'en-US': 'This cluster has {most} backups, the most it may have. Delete one that you no longer use.',
    'zh-CN': '这个集群已有 {most} 个备份，已达上限。请先删除不再使用的备份。',
  },
  backupNameTaken: {
    code: codes.conflict,
    field: 'name',
    'en-US': 'This cluster already has a backup named {name}.',
    'zh-CN': '这个集群已有名为 {name} 的备份。',
  },
  backupZoneMissing: {
    code: codes.badParameter,
    'en-US': 'Say in which time zone the first backup of this cluster runs.',
    'zh-CN': '请为这个集群的首个备份指定时区。',
  },
  backupDeleting: {
    code: codes.conflict,
    'en-US': 'This backup is being deleted. Take the deletion back first.',
    'zh-CN': '这个备份正在删除，请先撤销删除。',
  },
  backupNotDeleting: {
    code: codes.conflict,
    'en-US': 'This backup is not being deleted.',
    'zh-CN': '这个备份没有在删除。',
  },
  backupBytesGone: {
    code: codes.conflict,
    'en-US': 'Part of what was stored has been removed already, so this deletion cannot be taken back.',
    'zh-CN': '部分存储内容已被清除，无法撤销这次删除。',
  },
  backupNothingRuns: {
    code: codes.conflict,
    'en-US': 'Nothing of this backup is under way.',
    'zh-CN': '这个备份没有正在进行的任务。',
  },
  backupRestoreRuns: {
    code: codes.conflict,
    'en-US': 'A restore of this backup is under way. Wait for its end, or cancel it.',
    'zh-CN': '这个备份正在恢复。请等待完成，或取消后重试。',
  },
  backupClusterGone: {
    code: codes.conflict,
    'en-US': 'The cluster of this backup is gone, so nothing can run on it.',
    'zh-CN': '这个备份所属的集群已不存在，无法在其上执行任务。',
  },
  snapshotNotRestorable: {
    code: codes.conflict,
    'en-US': 'Only a completed snapshot that is still kept can be restored.',
    'zh-CN': '只能恢复已完成且仍保留的快照。',
  },
  backupNothingStored: {
    code: codes.conflict,
    'en-US': 'Nothing of this backup is stored yet, so there is nothing to prove.',
    'zh-CN': '这个备份还没有存储任何内容，暂时无法验证。',
  },
  backupNoAlarm: {
    code: codes.conflict,
    'en-US': 'This alarm has been answered already, or a newer one took its place.',
    'zh-CN': '这个警报已经处理，或已被新的警报取代。',
  },
  cloudStoreMissing: {
    code: codes.unavailable,
    'en-US': 'Cloud storage for backups is not available.',
    'zh-CN': '备份云存储不可用。',
  },
  cloudStoreElsewhere: {
    code: codes.badParameter,
    'en-US': 'Cloud storage for backups is not available at {cloud} {region}.',
    'zh-CN': '{cloud} {region} 不提供备份云存储。',
  },
  cloudStoreFull: {
    code: codes.conflict,
    'en-US': 'Your plan has no room left for backups. Make room, or choose a larger plan.',
    'zh-CN': '你的套餐已没有备份空间。请腾出空间，或选择更大的套餐。',
  },
  cloudGrantUnknown: {
    code: codes.notFound,
    'en-US': 'These credentials are not known, or ended more than 24 h ago. Ask for new ones with your token.',
    'zh-CN': '凭据无效，或已过期超过 24 小时。请使用令牌重新申请。',
  },
  clientBackupsTooMany: {
    code: codes.conflict,
    'en-US': 'This account has {most} backups of personal servers, the most it may have.',
    'zh-CN': '这个账户已有 {most} 个个人服务器备份，已达上限。',
  },
} as const satisfies Refusals

/** What there may be none of, as `notFound` names it. */
export const backupsObjects = {
  backup: words('backup', '备份'),
  snapshot: words('snapshot', '快照'),
  restore: words('restore', '恢复任务'),
} as const
