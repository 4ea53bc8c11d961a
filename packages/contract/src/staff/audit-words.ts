/** Sentences of the audit log about acts of staff on a customer, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { words } from '../wire/words.ts'

export const staffAuditWords = {
  kinds: { support: words('Support', '客服') },
  sentences: {
    'support.look': words('Looked at the account[: {reason}]', '查看了账号[：{reason}]'),
    'support.export': words('Exported {rows} customers[: {filter}]', '导出了 {rows} 位客户[：{filter}]'),
    'support.retry': words('Retried a stuck operation[ of {cluster}]', '重试了[ {cluster} ]卡住的操作'),
    'support.giveUp': words(
      'Gave up a stuck operation[ of {cluster}][: {reason}]',
      '放弃了[ {cluster} ]卡住的操作[：{reason}]',
    ),
    'support.stop': words('Stopped {cluster}[: {reason}]', '停止了 {cluster}[：{reason}]'),
    'support.restart': words('Restarted {cluster}[: {reason}]', '重启了 {cluster}[：{reason}]'),
    'support.repair': words('Repaired {cluster}[: {reason}]', '修复了 {cluster}[：{reason}]'),
    'support.destroy': words('Destroyed {cluster}[: {reason}]', '销毁了 {cluster}[：{reason}]'),
    'support.diagnose': words('Collected diagnostics[ of {cluster}]', '收集了[ {cluster} 的]诊断信息'),
    'support.snooze': words('Put off an item of Overview for a day', '将总览中的一项推迟一天'),
    'support.suspend': words(
      'Suspended the account[ or {cluster}][: {reason}]',
      '暂停了账号[或 {cluster}][：{reason}]',
    ),
    'support.release': words('Released the account[: {reason}]', '解除了账号的暂停[：{reason}]'),
    'support.announce': words('Announced “{title}”', '发布了公告“{title}”'),
    'support.update': words('Said more about “{title}”', '更新了公告“{title}”'),
    'support.announceEnd': words('Ended “{title}”', '结束了公告“{title}”'),
    'support.report': words('Wrote down a report of abuse[ about {what}]', '记录了滥用举报[：{what}]'),
    'support.reportClose': words('Closed a report of abuse[ about {what}]', '处理完了滥用举报[：{what}]'),
    'support.exportData': words(
      'Asked for an export of the account’s data[: {reason}]',
      '申请导出账号数据[：{reason}]',
    ),
    'support.rolloutStart': words(
      'Started a rollout[ of {version}][: {reason}]',
      '开始了[ {version} 的]发布[：{reason}]',
    ),
    'support.rolloutPause': words(
      'Paused the rollout[ of {version}][: {reason}]',
      '暂停了[ {version} 的]发布[：{reason}]',
    ),
    'support.rolloutContinue': words(
      'Continued the rollout[ of {version}][: {reason}]',
      '继续了[ {version} 的]发布[：{reason}]',
    ),
    'support.rolloutBack': words(
      'Rolled back the rollout[ of {version}][: {reason}]',
      '回退了[ {version} 的]发布[：{reason}]',
    ),
    'support.answer': words('Answered the suspension', '答复了暂停'),
    'support.credit': words(
      'Credited {account}[ with {amount}][: {reason}]',
      '向 {account} 入账[ {amount}][：{reason}]',
    ),
    'support.refund': words(
      'Refunded[ {amount}][ of {invoice}][: {reason}]',
      '退款[ {amount}][（{invoice}）][：{reason}]',
    ),
    'support.writeOff': words(
      'Wrote off[ {amount}][ of {invoice}][: {reason}]',
      '核销[ {amount}][（{invoice}）][：{reason}]',
    ),
    'support.adopt': words('Took over a charge[ of {amount}][: {reason}]', '接管了一笔扣款[ {amount}][：{reason}]'),
    'support.resolve': words(
      'Settled how a payment[ of {amount}] ended[: {reason}]',
      '确认了一笔付款[ {amount}] 的结果[：{reason}]',
    ),
    'support.quota': words('Granted vCPU[: {reason}]', '调整了 vCPU 配额[：{reason}]'),
    'support.coupon': words('Redeemed the coupon {code}[: {reason}]', '兑换了优惠券 {code}[：{reason}]'),
    'support.currency': words('Corrected the currency[: {reason}]', '更正了币种[：{reason}]'),
    'support.resetEmail': words('Unlinked the email[: {reason}]', '解除了邮箱关联[：{reason}]'),
    'support.signOut': words('Signed out everywhere[: {reason}]', '退出了所有登录[：{reason}]'),
    'support.mail': words('Sent a mail: {subject}', '发送了邮件：{subject}'),
    'support.dispute': words(
      'Answered a dispute[ of {amount}][: {reason}]',
      '答复了一起付款争议[ {amount}][：{reason}]',
    ),
    'support.unpark': words('Let bills be written again', '恢复了账单生成'),
    'support.verify': words('Had the ledger verified', '发起了账本核对'),
    'support.books': words('Exported the books[: {list}][ of {month}]', '导出了账簿[：{list}][（{month}）]'),
    'support.ask': words('Asked the gateway how a payment ended', '向支付网关询问了付款结果'),
  },
  facts: {
    reason: words('Reason', '原因'),
    scope: words('Scope', '范围'),
    why: words('Kind', '类别'),
    way: words('Where to', '去向'),
    list: words('List', '列表'),
    code: words('Code', '代码'),
    subject: words('Subject', '主题'),
    month: words('Month', '月份'),
    outcome: words('Outcome', '结果'),
    rows: words('Rows', '行数'),
    filter: words('Filter', '筛选'),
    title: words('Title', '标题'),
    what: words('About', '对象'),
  },
  values: {
    way: {
      card: words('To the card', '退至银行卡'),
      balance: words('To the balance', '退至余额'),
      payout: words('Out of the balance to the card', '由余额退至银行卡'),
      credit: words('Credited', '记入余额'),
      back: words('Back to the card', '退回银行卡'),
      evidence: words('Evidence', '证据'),
      accept: words('Accepted', '接受'),
    },
    outcome: {
      charged: words('Charged', '已扣款'),
      notCharged: words('Not charged', '未扣款'),
      suspended: words('Suspended', '已暂停'),
      warned: words('Warned', '已警告'),
      unfounded: words('Unfounded', '不成立'),
      notOurs: words('Not ours', '与我们无关'),
    },
    scope: {
      servers: words('Clusters stopped', '集群停止'),
      visitors: words('Visitors turned away', '拒绝访客'),
    },
    why: {
      disputed: words('Disputed payment', '付款争议'),
      abuse: words('Abuse', '滥用'),
      unpaid: words('Unpaid', '未付款'),
      legal: words('Legal', '法律要求'),
      asked: words('Asked for', '客户要求'),
    },
  },
} as const satisfies AuditWords
