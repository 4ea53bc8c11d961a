/** What the audit log says of clusters, instances and operations, in both languages. */
import { type AuditWords, words } from '../audit/audit-words.ts'
import type { ClustersAuditAction, ClustersAuditKind } from './audit.ts'
import { statusLabels } from './status.ts'

export const clustersAuditWords = {
  kinds: {
    cluster: words('Clusters', '集群'),
    instance: words('Instances', '实例'),
    operation: words('Operations', '操作任务'),
  },
  sentences: {
    'cluster.create': words('Created {name}[ ({size})]', '创建了 {name}[（{size}）]'),
    'cluster.rename': words('Renamed {oldName} to {name}', '将 {oldName} 重命名为 {name}'),
    'cluster.start': words('Started {name}', '启动了 {name}'),
    'cluster.stop': words('Stopped {name}', '停止了 {name}'),
    'cluster.restart': words('Restarted {name}', '重启了 {name}'),
    'cluster.retry': words('Retried {name}', '重试了 {name}'),
    'cluster.destroy': words('Destroyed {name}', '销毁了 {name}'),
    'cluster.repair': words('Repaired {name}', '修复了 {name}'),
    'cluster.cancel': words('Canceled {name}', '取消了 {name}'),
    'cluster.issueToken': words('Created a join command for {name}', '生成了 {name} 的加入命令'),
    'cluster.resetPassword': words('Requested a new password for {name}', '申请重新设置 {name} 的密码'),
    'cluster.activate': words('Activated {name}', '激活了 {name}'),
    'cluster.setPassword': words('Set a new password for {name}', '为 {name} 设置了新密码'),
    'instance.add': words('Added {instance}[ ({size})] to {name}', '为 {name} 添加了{instance}[（{size}）]'),
    'instance.start': words('Started {instance} of {name}', '启动了 {name} 的{instance}'),
    'instance.stop': words('Stopped {instance} of {name}', '停止了 {name} 的{instance}'),
    'instance.restart': words('Restarted {instance} of {name}', '重启了 {name} 的{instance}'),
    'instance.retry': words('Retried {instance} of {name}', '重试了 {name} 的{instance}'),
    'instance.destroy': words('Destroyed {instance} of {name}', '销毁了 {name} 的{instance}'),
    'instance.cancel': words('Canceled {instance} of {name}', '取消了 {name} 的{instance}'),
    'instance.repair': words('Repaired {instance} of {name}', '修复了 {name} 的{instance}'),
    'instance.join': words('A machine joined {name}[ as {instance}]', '一台机器加入了 {name}[，成为{instance}]'),
    'instance.lose': words('Lost contact with [{instance} of ]{name}', '与 {name}[ 的{instance}] 失去联系'),
    'instance.return': words('[{instance} of ]{name} is back in contact', '{name}[ 的{instance}] 恢复了联系'),
    'instance.vanish': words('The provider no longer has [{instance} of ]{name}', '提供方已没有 {name}[ 的{instance}]'),
    'instance.recover': words(
      'Restarted [{instance} of ]{name} after it ended',
      '{name}[ 的{instance}] 意外终止后重新启动',
    ),
    'instance.fail': words('[{instance} of ]{name} failed', '{name}[ 的{instance}] 出错'),
    'operation.cancel': words('Canceled an operation of {name}', '取消了 {name} 的一项操作'),
  },
  facts: {
    status: words('Status', '状态'),
    reason: words('Reason', '原因'),
    region: words('Region', '区域'),
    offering: words('Size', '规格'),
    version: words('Version', '版本'),
    reverseProxy: words('Reverse proxy', '反向代理'),
    role: words('Role', '角色'),
    expireAt: words('Valid until', '有效期至'),
    drain: words('Drained first', '先排空'),
  },
  values: {
    status: statusLabels,
    role: { master: words('Master', '主节点'), worker: words('Worker', '工作节点') },
    drain: { true: words('Drained first', '先排空'), false: words('Removed at once', '立即移除') },
    reverseProxy: {
      none: words('None', '无'),
      frp: words('frp', 'frp'),
      cloudflare: words('Cloudflare', 'Cloudflare'),
    },
  },
} as const satisfies AuditWords<ClustersAuditKind, ClustersAuditAction>
