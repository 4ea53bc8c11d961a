/** Sentences of the audit log about backups, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { words } from '../wire/words.ts'

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
    'backup.changePassword': words('Requested another password for the backup {name}', '要求更改备份 {name} 的密码'),
    'backup.delete': words('Deleted the backup {name}', '删除了备份 {name}'),
    'backup.undelete': words('Undid the deletion of the backup {name}', '撤销了备份 {name} 的删除'),
    'backup.unprune': words(
      'The operator brought back pruned data of the backup {name}',
      '运营方找回了备份 {name} 中被清理的内容',
    ),
    'backup.pin': words('Pinned a snapshot of the backup {name}', '固定了备份 {name} 的一个快照'),
    'backup.unpin': words('Unpinned a snapshot of the backup {name}', '取消固定了备份 {name} 的一个快照'),
    'backup.forget': words('Deleted a snapshot of the backup {name}', '移除了备份 {name} 的一个快照'),
    'backup.takeBack': words(
      'Brought back a deleted snapshot of the backup {name}',
      '找回了备份 {name} 已移除的一个快照',
    ),
    'backup.move': words(
      'The plan of the backup {name} moved to the cluster created from it',
      '备份 {name} 的计划已移至用它恢复的集群',
    ),
    'backup.goBack': words('Took the stored data of the backup {name} back', '回退了备份 {name} 的存储'),
    'backup.undoGoBack': words('Undid going back with the backup {name}', '撤销了备份 {name} 存储的回退'),
    'backup.prove': words('Requested verification of the backup {name}', '要求校验备份 {name}'),
    'backup.cancelProof': words('Canceled a verification of the backup {name}', '取消了备份 {name} 的一次校验'),
    'backup.damage': words('The backup {name} turned out to be damaged', '发现备份 {name} 已损坏'),
    'backup.alarm': words('The backup {name} changed suspiciously', '备份 {name} 出现可疑变化'),
    'backup.answerAlarm': words('Answered the alarm of the backup {name}', '处理了备份 {name} 的警报'),
    'backup.save': words('Saved the backup {name} from a personal server', '从个人服务器保存了备份 {name}'),
    'backup.stop': words('Stopped the backup {name} of a personal server', '停止了个人服务器的备份 {name}'),
    'backup.grant': words('Got credentials to store backups at {name}', '获取了在 {name} 存储备份的凭据'),
    'backup.readGrant': words(
      'Got permission to read the backup {name} with restic',
      '获取了用 restic 读取备份 {name} 的权限',
    ),
    'backup.look': words(
      'The machine of the backup {name} received permission to read it',
      '备份 {name} 的机器获得了读取权限',
    ),
  },
  facts: {
    cluster: words('Cluster', '集群'),
    schedule: words('Schedule', '计划'),
    paths: words('Folders', '文件夹'),
    keep: words('Kept', '保留'),
    timeZone: words('Time zone', '时区'),
    snapshot: words('Snapshot', '快照'),
    way: words('Restored to', '恢复到'),
    change: words('What changed', '变化'),
    percent: words('Per cent', '百分比'),
    expected: words('Expected', '是否预期'),
  },
  values: {
    way: {
      newFolder: words('A new folder', '新文件夹'),
      replace: words('In place', '原位置'),
      newCluster: words('A new cluster', '新集群'),
    },
    change: { shrink: words('Much is gone', '大量内容消失'), rewrite: words('Nearly all is new', '几乎全部改写') },
    expected: { yes: words('Yes', '是'), no: words('No', '否') },
  },
} as const satisfies AuditWords
