/** Refusals of calls about backups. 'Time slot already used' is the specification's text (§8). */
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
    'en-US': 'Choose a time zone for the first backup of this cluster.',
    'zh-CN': '请为这个集群的首个备份指定时区。',
  },
  backupDeleting: {
    code: codes.conflict,
    'en-US': 'This backup is being deleted. Undo the deletion first.',
    'zh-CN': '这个备份正在删除，请先撤销删除。',
  },
  backupNotDeleting: {
    code: codes.conflict,
    'en-US': 'This backup is not being deleted.',
    'zh-CN': '这个备份没有在删除。',
  },
  backupBytesGone: {
    code: codes.conflict,
    'en-US': 'Part of the stored data has been removed already, so this deletion cannot be undone.',
    'zh-CN': '部分存储内容已被清除，无法撤销这次删除。',
  },
  backupPasswordNotKept: {
    code: codes.conflict,
    'en-US': 'The machine does not have the present password of this backup. Enter that first.',
    'zh-CN': '机器上没有这个备份当前的密码，请先输入当前密码。',
  },
  backupPasswordChanges: {
    code: codes.conflict,
    'en-US': 'The password is being changed. Try again in a moment.',
    'zh-CN': '正在更改密码，请稍后再试。',
  },
  backupMachineOffline: {
    code: codes.conflict,
    'en-US': 'The machine of this backup is not connected.',
    'zh-CN': '这个备份的机器未连接。',
  },
  backupLooksTooMany: {
    code: codes.conflict,
    'en-US': 'The machine is still listing other files. Try again in a moment.',
    'zh-CN': '机器仍在列出其他文件，请稍后再试。',
  },
  backupNothingRuns: {
    code: codes.conflict,
    'en-US': 'No work of this backup is in progress.',
    'zh-CN': '这个备份没有正在进行的任务。',
  },
  backupRestoreRuns: {
    code: codes.conflict,
    'en-US': 'A restore of this backup is in progress. Wait until it has finished, or cancel it.',
    'zh-CN': '这个备份正在恢复。请等待完成，或取消后重试。',
  },
  backupClusterGone: {
    code: codes.conflict,
    'en-US': 'The cluster of this backup no longer exists, so nothing can run on it.',
    'zh-CN': '这个备份所属的集群已不存在，无法在其上执行任务。',
  },
  snapshotNotRestorable: {
    code: codes.conflict,
    'en-US': 'Only completed snapshots that still exist can be restored.',
    'zh-CN': '只能恢复已完成且仍保留的快照。',
  },
  snapshotNotKept: {
    code: codes.conflict,
    'en-US': 'Only completed snapshots that still exist can be pinned or deleted.',
    'zh-CN': '只能固定或移除已完成且仍保留的快照。',
  },
  snapshotPinned: {
    code: codes.conflict,
    field: 'name',
    'en-US': 'This snapshot is pinned. To delete it, type the name of its backup: {name}.',
    'zh-CN': '这个快照已固定。如要移除，请输入备份名称：{name}。',
  },
  snapshotInUse: {
    code: codes.conflict,
    'en-US': 'This snapshot is being restored or verified. Wait until that has finished, or cancel it.',
    'zh-CN': '这个快照正在恢复或校验。请等待完成，或先取消。',
  },
  snapshotNotForgotten: {
    code: codes.conflict,
    'en-US': 'This snapshot was not deleted.',
    'zh-CN': '这个快照没有被移除。',
  },
  snapshotBytesGone: {
    code: codes.conflict,
    'en-US': 'The data of this snapshot has been removed already, so it cannot be brought back.',
    'zh-CN': '这个快照的数据已被清除，无法找回。',
  },
  backupNoMove: {
    code: codes.conflict,
    'en-US': 'No other cluster is waiting for this plan.',
    'zh-CN': '没有其他集群等待接管这个计划。',
  },
  backupNothingStored: {
    code: codes.conflict,
    'en-US': 'This backup has stored nothing yet, so there is nothing to verify.',
    'zh-CN': '这个备份还没有存储任何内容，暂时无法校验。',
  },
  backupNoAlarm: {
    code: codes.conflict,
    'en-US': 'This alarm has already been answered or replaced by a newer one.',
    'zh-CN': '这个警报已经处理，或已被新的警报取代。',
  },
  backupHistoryGone: {
    code: codes.conflict,
    'en-US':
      'Going back is no longer possible: {files} files ({bytes} bytes) that were removed since are gone for good.',
    'zh-CN': '已无法回退：此后移除的 {files} 个文件（{bytes} 字节）已永久删除。',
  },
  backupNothingBefore: {
    code: codes.conflict,
    'en-US': 'No snapshot of this backup was stored before that, so nothing would be left.',
    'zh-CN': '在此之前这个备份没有任何快照，回退后将一无所有。',
  },
  backupNoReturn: {
    code: codes.conflict,
    'en-US': 'There is nothing to undo: the stored data did not go back, or the rest is permanently deleted.',
    'zh-CN': '没有可撤销的回退，或被移除的内容已永久删除。',
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
    'en-US': 'These credentials are unknown, or expired more than 24 h ago. Request new ones with your token.',
    'zh-CN': '凭据无效，或已过期超过 24 小时。请使用令牌重新申请。',
  },
  clientBackupsTooMany: {
    code: codes.conflict,
    'en-US': 'This account has {most} backups of personal servers, the most it may have.',
    'zh-CN': '这个账号已有 {most} 个个人服务器备份，已达上限。',
  },
} as const satisfies Refusals

/** Objects that `notFound` can name. */
export const backupsObjects = {
  backup: words('backup', '备份'),
  snapshot: words('snapshot', '快照'),
  restore: words('restore', '恢复任务'),
  grant: words('right to the store', '存储权限'),
} as const
