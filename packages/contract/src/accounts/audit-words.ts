/** Sentences of the audit log about accounts and sign-ins, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { words } from '../wire/words.ts'

export const accountsAuditWords = {
  kinds: { session: words('Sign-ins', '登录'), account: words('Account', '账号') },
  sentences: {
    'session.signIn': words('Signed in', '登录'),
    'session.signOut': words('Signed out', '退出登录'),
    'session.revoke': words('Signed out another session', '退出了另一个会话'),
    'account.create': words('Created the account', '创建了账号'),
    'account.export': words('Asked for an export of all data', '申请导出全部数据'),
    'account.close': words('Asked to close the account[ on {until}]', '申请[于 {until} ]注销账号'),
    'account.keep': words('Kept the account', '保留了账号'),
    'account.erase': words('Erased an account', '抹除了一个账号'),
    'account.bindName': words('Bound the ID[ {id}]', '绑定了 ID[ {id}]'),
    'account.setEmail': words('Linked the email[ {email}]', '绑定了邮箱[ {email}]'),
    'account.removeEmail': words('Removed the email[ {email}]', '移除了邮箱[ {email}]'),
    'account.setAvatar': words('Changed the picture', '更换了头像'),
    'account.grantAdmin': words('Made {account} an Admin', '将 {account} 设为管理员'),
    'account.revokeAdmin': words('Made {account} a User again', '取消了 {account} 的管理员身份'),
    'account.makeSupport': words('Gave {account} the role support', '将 {account} 设为客服'),
    'account.makeOperator': words('Gave {account} the role operator', '将 {account} 设为运营人员'),
    'account.endStaff': words('Ended the staff role of {account}', '结束了 {account} 的员工角色'),
    'account.setQuota': words(
      'Set the vCPU quota for {account}[ to {vCpuQuota}]',
      '将 {account} 的 vCPU 配额设为[ {vCpuQuota}]',
    ),
    'account.allowCreate': words('Allowed {account} to create clusters', '允许 {account} 创建集群'),
    'account.forbidCreate': words('No longer allowed {account} to create clusters', '不再允许 {account} 创建集群'),
    'account.allowMail': words('Allowed instances of {account} to send mail', '允许 {account} 的实例发送邮件'),
    'account.forbidMail': words(
      'No longer allowed instances of {account} to send mail',
      '不再允许 {account} 的实例发送邮件',
    ),
    'account.credit': words('Credited {account}[ with {amount}]', '向 {account} 的余额存入[ {amount}]'),
    'account.debit': words('Took[ {amount}] from the balance of {account}', '从 {account} 的余额扣除[ {amount}]'),
    'account.travel': words('Moved the account’s clock forward[ to {accountTime}]', '将账号时钟拨快[到 {accountTime}]'),
    'account.grantPromo': words(
      'Gave {account}[ {amount} of] promotional credit',
      '向 {account} 发放了[ {amount}] 赠送额度',
    ),
  },
  facts: {
    accountTime: words('Account’s clock', '账号时钟'),
    until: words('Until', '截止'),
    staff: words('Staff role', '员工角色'),
    vCpuQuota: words('vCPU quota', 'vCPU 配额'),
    canCreateCluster: words('Can create clusters', '可创建集群'),
    maySendMail: words('Instances can send mail', '实例可发送邮件'),
    name: words('ID', 'ID'),
    email: words('Email', '邮箱'),
    avatar: words('Picture', '头像'),
    device: words('Device', '设备'),
    browser: words('Browser', '浏览器'),
    system: words('System', '系统'),
  },
  values: {
    staff: { support: words('Support', '客服'), operator: words('Operator', '运营人员') },
    role: { Admin: words('Admin', '管理员'), User: words('User', '普通用户') },
    device: {
      computer: words('Computer', '电脑'),
      phone: words('Phone', '手机'),
      tablet: words('Tablet', '平板'),
      program: words('Program', '程序'),
    },
    maySendMail: { true: words('Yes', '是'), false: words('No', '否') },
    canCreateCluster: {
      true: words('Can create clusters', '可创建集群'),
      false: words('Cannot create clusters', '不可创建集群'),
    },
  },
} as const satisfies AuditWords
