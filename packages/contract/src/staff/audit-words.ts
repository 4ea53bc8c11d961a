/** Sentences of the audit log about acts of staff on a customer, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { words } from '../wire/words.ts'

export const staffAuditWords = {
  kinds: { support: words('Support', '客服') },
  sentences: {
    'support.look': words('Looked at the account[: {reason}]', '查看了账号[：{reason}]'),
    'support.export': words('Exported {rows} customers[: {filter}]', '导出了 {rows} 位客户[：{filter}]'),
    'support.suspend': words(
      'Suspended the account[ or {cluster}][: {reason}]',
      '暂停了账号[或 {cluster}][：{reason}]',
    ),
    'support.release': words('Released the account[: {reason}]', '解除了账号的暂停[：{reason}]'),
    'support.answer': words('Answered the suspension', '答复了暂停'),
    'support.credit': words(
      'Credited {account}[ with {amount}][: {reason}]',
      '向 {account} 入账[ {amount}][：{reason}]',
    ),
    'support.refund': words('Refunded[ {amount}] to a card[: {reason}]', '向银行卡退款[ {amount}][：{reason}]'),
  },
  facts: {
    reason: words('Reason', '原因'),
    scope: words('Scope', '范围'),
    why: words('Kind', '类别'),
    rows: words('Rows', '行数'),
    filter: words('Filter', '筛选'),
  },
  values: {
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
