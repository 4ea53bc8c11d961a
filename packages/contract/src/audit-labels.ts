/** What the audit log's actions, kinds of objects and facts are called, in both languages. */
import type { AuditAction, AuditKind } from './audit.ts'
import type { Locale } from './constants.ts'

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

/** One of them, before its id where it has no name. */
export const auditKindNames = {
  cluster: words('Cluster', '集群'),
  instance: words('Instance', '实例'),
  operation: words('Operation', '操作任务'),
  account: words('Account', '账号'),
  session: words('Sign-in', '登录'),
} as const satisfies Record<AuditKind, Words>

export const auditActionLabels = {
  'session.signIn': words('Signed in', '登录'),
  'session.signOut': words('Signed out', '退出登录'),
  'session.revoke': words('Ended a sign-in', '结束了一处登录'),
  'account.create': words('Account created', '创建账号'),
  'account.bindName': words('Bound an ID', '绑定 ID'),
  'account.setEmail': words('Linked an email', '绑定邮箱'),
  'account.removeEmail': words('Removed the email', '移除邮箱'),
  'account.setAvatar': words('Changed the picture', '更换头像'),
  'account.grantAdmin': words('Made an Admin', '设为管理员'),
  'account.revokeAdmin': words('No longer an Admin', '不再是管理员'),
  'account.setQuota': words('Changed the vCPU quota', '调整 vCPU 配额'),
  'account.allowCreate': words('Allowed to create clusters', '允许创建集群'),
  'account.forbidCreate': words('Not allowed to create clusters', '不允许创建集群'),
  'cluster.create': words('Created', '创建'),
  'cluster.rename': words('Renamed', '重命名'),
  'cluster.start': words('Started', '启动'),
  'cluster.stop': words('Stopped', '停止'),
  'cluster.restart': words('Restarted', '重启'),
  'cluster.retry': words('Tried again', '重试'),
  'cluster.destroy': words('Destroyed', '销毁'),
  'cluster.repair': words('Repaired', '修复'),
  'cluster.cancel': words('Canceled', '取消'),
  'cluster.issueToken': words('Made a command to join', '生成加入命令'),
  'cluster.resetPassword': words('Asked for a new password', '申请重置密码'),
  'instance.add': words('Added', '添加'),
  'instance.start': words('Started', '启动'),
  'instance.stop': words('Stopped', '停止'),
  'instance.restart': words('Restarted', '重启'),
  'instance.retry': words('Tried again', '重试'),
  'instance.destroy': words('Destroyed', '销毁'),
  'instance.cancel': words('Canceled', '取消'),
  'instance.repair': words('Repaired', '修复'),
  'operation.cancel': words('Canceled', '取消'),
} as const satisfies Record<AuditAction, Words>

/** Keys of `before` and `after`; one without words is for programs and is not shown. */
export const auditFactLabels: Readonly<Record<string, Words>> = {
  status: words('Status', '状态'),
  clusterName: words('Name', '名称'),
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
 * Values that have words of their own, by the key they stand under; statuses have theirs in the status table. Those of a
 * boolean are told without the label.
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
