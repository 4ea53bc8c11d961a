/** What the audit log says of backups, in both languages. */
import { type AuditWords, words } from '../audit/audit-words.ts'
import type { BackupsAuditAction, BackupsAuditKind } from './audit.ts'

export const backupsAuditWords = {
  kinds: { backup: words('Backups', '备份') },
  sentences: {
    'backup.create': words('Created the backup {name}', '创建了备份 {name}'),
    'backup.update': words('Changed the backup {name}', '修改了备份 {name}'),
    'backup.pause': words('Paused the backup {name}', '暂停了备份 {name}'),
    'backup.resume': words('Resumed the backup {name}', '继续了备份 {name}'),
    'backup.run': words('Started the backup {name}', '启动了备份 {name}'),
    'backup.cancel': words('Canceled a run of the backup {name}', '取消了备份 {name} 的一次运行'),
    'backup.restore': words('Restored from the backup {name}', '从备份 {name} 恢复'),
    'backup.unlock': words('Gave the password of the backup {name}', '提供了备份 {name} 的密码'),
    'backup.delete': words('Deleted the backup {name}', '删除了备份 {name}'),
    'backup.undelete': words('Took the deletion of the backup {name} back', '撤销了备份 {name} 的删除'),
  },
  facts: {
    schedule: words('Schedule', '计划'),
    paths: words('Folders', '文件夹'),
    keep: words('Kept', '保留'),
    timeZone: words('Time zone', '时区'),
    snapshot: words('Snapshot', '快照'),
    way: words('Restored to', '恢复到'),
  },
  values: {
    way: { newFolder: words('A new folder', '新文件夹'), replace: words('In place', '原位置') },
  },
} as const satisfies AuditWords<BackupsAuditKind, BackupsAuditAction>
