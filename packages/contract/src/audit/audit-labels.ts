/** What the audit log's actions, kinds of objects and facts are called, in both languages. */

import type { Locale } from '../wire/constants.ts'
import type { AuditAction, AuditKind } from './audit.ts'

type Words = Record<Locale, string>

function words(en: string, zh: string): Words {
  return { 'en-US': en, 'zh-CN': zh }
}

export const auditKindLabels = {
  cluster: words('Clusters', '集群'),
  instance: words('Instances', '实例'),
  operation: words('Operations', '操作任务'),
  account: words('Account', '账号'),
  session: words('Sign-ins', '登录'),
} as const satisfies Record<AuditKind, Words>

/**
 * What a record says, as a sentence. `{name}` is what the object is called and `{oldName}` what it was called,
 * `{account}` whose it is, `{instance}` the worker (a record of a cluster's master has none), `{size}` what was
 * ordered, `{id}` the ID that was bound; any other is the fact of that name, as it became or else as it was. `[…]` is
 * left out where what it names is not known.
 */
export const auditSentences = {
  'session.signIn': words('Signed in', '登录'),
  'session.signOut': words('Signed out', '退出登录'),
  'session.revoke': words('Signed out another session', '退出了另一个会话'),
  'account.create': words('Created the account', '创建了账号'),
  'account.bindName': words('Bound the ID[ {id}]', '绑定了 ID[ {id}]'),
  'account.setEmail': words('Linked the email[ {email}]', '绑定了邮箱[ {email}]'),
  'account.removeEmail': words('Removed the email[ {email}]', '移除了邮箱[ {email}]'),
  'account.setAvatar': words('Changed the picture', '更换了头像'),
  'account.grantAdmin': words('Made {account} an Admin', '将 {account} 设为管理员'),
  'account.revokeAdmin': words('Made {account} a User again', '取消了 {account} 的管理员身份'),
  'account.setQuota': words(
    'Set the vCPU quota for {account}[ to {vCpuQuota}]',
    '将 {account} 的 vCPU 配额设为[ {vCpuQuota}]',
  ),
  'account.allowCreate': words('Allowed {account} to create clusters', '允许 {account} 创建集群'),
  'account.forbidCreate': words('No longer allowed {account} to create clusters', '不再允许 {account} 创建集群'),
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
} as const satisfies Record<AuditAction, Words>

/** Keys of `before` and `after`; one without words is for programs and is not shown. */
export const auditFactLabels: Readonly<Record<string, Words>> = {
  status: words('Status', '状态'),
  reason: words('Reason', '原因'),
  region: words('Region', '区域'),
  offering: words('Size', '规格'),
  version: words('Version', '版本'),
  reverseProxy: words('Reverse proxy', '反向代理'),
  role: words('Role', '角色'),
  expireAt: words('Valid until', '有效期至'),
  vCpuQuota: words('vCPU quota', 'vCPU 配额'),
  canCreateCluster: words('Can create clusters', '可创建集群'),
  name: words('ID', 'ID'),
  email: words('Email', '邮箱'),
  avatar: words('Picture', '头像'),
  device: words('Device', '设备'),
  browser: words('Browser', '浏览器'),
  system: words('System', '系统'),
  drain: words('Drained first', '先排空'),
}

/**
 * Values that have words of their own, by the key they stand under; statuses have theirs in the status table. Those of
 * a boolean are told without the label.
 */
export const auditFactValues: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  role: {
    Admin: words('Admin', '管理员'),
    User: words('User', '普通用户'),
    master: words('Master', '主节点'),
    worker: words('Worker', '工作节点'),
  },
  device: {
    computer: words('Computer', '电脑'),
    phone: words('Phone', '手机'),
    tablet: words('Tablet', '平板'),
    program: words('Program', '程序'),
  },
  canCreateCluster: {
    true: words('Can create clusters', '可创建集群'),
    false: words('Cannot create clusters', '不可创建集群'),
  },
  drain: {
    true: words('Drained first', '先排空'),
    false: words('Removed at once', '立即移除'),
  },
  reverseProxy: {
    none: words('None', '无'),
    frp: words('frp', 'frp'),
    cloudflare: words('Cloudflare', 'Cloudflare'),
  },
}
