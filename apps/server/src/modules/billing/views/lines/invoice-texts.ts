import type { Locale } from '@atoll/contract/wire'
import type { InvoiceState, PaymentState } from '../../records/documents/states.ts'
import type { MeteredProductType } from './invoice-document.ts'

interface InvoiceTexts {
  title: string
  from: string
  for: string
  account: (id: string) => string
  issued: string
  period: string
  zone: string
  state: string
  states: Record<InvoiceState, string>
  payBefore: string
  item: string
  price: string
  discount: string
  amount: string
  plan: (name: string) => string
  master: (cluster: string, type: string) => string
  worker: (cluster: string, worker: string, type: string) => string
  metered: Record<MeteredProductType, string>
  days: (days: number) => string
  partOfMonth: string
  separator: string
  sum: string
  coupon: (code: string) => string
  total: string
  promo: string
  balance: string
  card: (brand: string, last4: string) => string
  rolled: string
  lost: string
  toPay: string
  payments: string
  means: {
    promo: string
    balance: string
    card: (brand: string, last4: string) => string
    aCard: string
    rolled: string
    join: string
    none: string
  }
  payment: (state: string, means: string) => string
  paymentStates: Record<PaymentState, string>
  credits: string
  howMade: string
  prepaid: string
  usage: string
  page: (page: number, of: number) => string
}

/** Texts of the invoice's file. In Chinese it is 账单: 发票 is a tax document. */
export const invoiceTexts: Record<Locale, InvoiceTexts> = {
  'en-US': {
    title: 'Invoice',
    from: 'From',
    for: 'For',
    account: (id) => `Account ${id}`,
    issued: 'Issued',
    period: 'Period',
    zone: 'Time zone',
    state: 'Status',
    states: { open: 'Not paid yet', paid: 'Paid', void: 'Void, nothing to pay', uncollectible: 'Not paid' },
    payBefore: 'Pay before',
    item: 'Item',
    price: 'Price',
    discount: 'Discount',
    amount: 'Amount',
    plan: (name) => `${name} plan`,
    master: (cluster, type) => `${cluster} master, ${type}`,
    worker: (cluster, worker, type) => `${cluster} worker ${worker}, ${type}`,
    metered: {
      cloud_storage: 'Storage above the plan’s quota',
      cloud_backup: 'Backups above the plan’s quota',
      cloud_traffic: 'Traffic above the plan’s quota',
      cdn_traffic: 'CDN traffic above the plan’s quota',
    },
    days: (days) => (days === 1 ? '1 day' : `${days} days`),
    partOfMonth: 'part of a month',
    separator: ', ',
    sum: 'Sum',
    coupon: (code) => `Coupon ${code}`,
    total: 'Total',
    promo: 'Paid from promotional credit',
    balance: 'Paid from the balance',
    card: (brand, last4) => `Paid, ${brand} ending ${last4}`,
    rolled: 'Moved to the next bill',
    lost: 'Taken back by the bank',
    toPay: 'To pay',
    payments: 'Payments',
    means: {
      promo: 'promotional credit',
      balance: 'balance',
      card: (brand, last4) => `${brand} ending ${last4}`,
      aCard: 'card',
      rolled: 'moved to the next bill',
      join: ', ',
      none: 'nothing to pay',
    },
    payment: (state, means) => `${state}: ${means}`,
    paymentStates: {
      created: 'Under way',
      sending: 'Under way',
      needs_action: 'Waiting for your approval',
      unknown: 'Under way',
      succeeded: 'Paid',
      declined: 'Declined',
      canceled: 'Canceled',
    },
    credits: 'Given back',
    howMade: 'How the amounts are made',
    prepaid:
      'Instances and plans are paid a month ahead. A part of a month costs its part of the price, by the second.',
    usage: 'What is used above the plan’s quota is billed after the period it was used in.',
    page: (page, of) => `Page ${page} of ${of}`,
  },
  'zh-CN': {
    title: '账单',
    from: '开具方',
    for: '开给',
    account: (id) => `账号 ${id}`,
    issued: '开具日期',
    period: '计费周期',
    zone: '时区',
    state: '状态',
    states: { open: '待支付', paid: '已支付', void: '已作废，无需支付', uncollectible: '未支付' },
    payBefore: '支付期限',
    item: '项目',
    price: '金额',
    discount: '优惠',
    amount: '小计',
    plan: (name) => `${name} 套餐`,
    master: (cluster, type) => `${cluster} 主节点，${type}`,
    worker: (cluster, worker, type) => `${cluster} 工作节点 ${worker}，${type}`,
    metered: {
      cloud_storage: '超出套餐额度的存储',
      cloud_backup: '超出套餐额度的备份',
      cloud_traffic: '超出套餐额度的流量',
      cdn_traffic: '超出套餐额度的 CDN 流量',
    },
    days: (days) => `${days} 天`,
    partOfMonth: '不足一个月',
    separator: '，',
    sum: '合计',
    coupon: (code) => `优惠券 ${code}`,
    total: '总额',
    promo: '已用赠送额度支付',
    balance: '已用余额支付',
    card: (brand, last4) => `已支付，${brand} 尾号 ${last4}`,
    rolled: '计入下期账单',
    lost: '银行撤回',
    toPay: '应付',
    payments: '付款记录',
    means: {
      promo: '赠送额度',
      balance: '余额',
      card: (brand, last4) => `${brand} 尾号 ${last4}`,
      aCard: '银行卡',
      rolled: '计入下期账单',
      join: '、',
      none: '无需支付',
    },
    payment: (state, means) => `${state}：${means}`,
    paymentStates: {
      created: '处理中',
      sending: '处理中',
      needs_action: '等待验证',
      unknown: '处理中',
      succeeded: '已支付',
      declined: '被拒',
      canceled: '已取消',
    },
    credits: '退款记录',
    howMade: '金额如何得出',
    prepaid: '实例与套餐按月预付；不足一个月的部分按秒折算。',
    usage: '超出套餐额度的用量，在所属周期结束后计费。',
    page: (page, of) => `第 ${page} 页，共 ${of} 页`,
  },
}
