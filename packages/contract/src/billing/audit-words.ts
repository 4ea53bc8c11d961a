/** Sentences of the audit log about money, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { planNames } from '../wire/enums.ts'
import { words } from '../wire/words.ts'

export const billingAuditWords = {
  kinds: {
    coupon: words('Coupons', '优惠码'),
    invoice: words('Invoices', '账单'),
    plan: words('Plan', '套餐'),
    payment: words('Payments', '付款'),
  },
  sentences: {
    'coupon.redeem': words('Redeemed the coupon {name}', '兑换了优惠码 {name}'),
    'invoice.pay': words('Paid the invoice {name}', '支付了账单 {name}'),
    'invoice.credit': words('Refunded the unused part of {name}[: {amount}]', '退回 {name} 未使用的费用[：{amount}]'),
    'invoice.giveUp': words('Gave up collecting the invoice {name}[: {amount}]', '不再催收账单 {name}[：{amount}]'),
    'plan.setCap': words('Set the usage cap[ to {spendCap}]', '设置了用量费用上限[：{spendCap}]'),
    'plan.fall': words('The plan fell to Free: its bill was not paid', '账单一直未付，套餐降为 Free'),
    'plan.change': words('Changed the plan[ to {planLevel}]', '更换了套餐[：{planLevel}]'),
    'payment.charge': words(
      'Charged {amount} to a card[ for the invoice {name}]',
      '已从银行卡扣款 {amount}[，账单 {name}]',
    ),
    'payment.decline': words(
      'A card was declined: {amount}[ for the invoice {name}]',
      '银行卡扣款失败：{amount}[，账单 {name}]',
    ),
    'payment.dispute': words(
      'The bank disputes {amount} of the payment[ for {name}]',
      '银行对[账单 {name} ]付款中的 {amount} 提出争议',
    ),
    'payment.adopt': words(
      'Recorded {amount} that a card had paid[ for {name}]',
      '接管了银行卡[为账单 {name} ]支付的[ {amount} ]款项',
    ),
    'payment.refund': words(
      'Sent {amount} of the payment for {name} back to its card',
      '将账单 {name} 付款中的 {amount} 退回原银行卡',
    ),
  },
  facts: {
    planLevel: words('Plan', '套餐'),
    spendCap: words('Usage cap', '用量费用上限'),
    amount: words('Amount', '金额'),
    disputeState: words('Dispute', '争议'),
    lastDay: words('Last day', '最后一天'),
  },
  values: {
    planLevel: Object.fromEntries(planNames.map((name, level) => [level, words(name, name)])),
    disputeState: {
      inquiry: words('The bank only asks', '银行仅询问'),
      open: words('Not decided', '尚未裁定'),
      won: words('Won', '胜诉'),
      lost: words('Lost', '败诉'),
      closed: words('Closed', '已结束'),
    },
  },
} as const satisfies AuditWords
