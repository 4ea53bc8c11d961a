import type { MeteredProduct } from '@atoll/contract/billing'
import { reasonText } from '@atoll/texts/reasons'
import type { MailedInvoice, MailFacts } from './mail-facts.ts'
import type { Figures } from './mail-figures.ts'
import { invoiceTable, paidBy, receiptTable, renewalTable, whatFor } from './mail-tables.ts'
import { type MailTexts, plainMail } from './mail-texts.ts'

const locale = 'zh-CN'
const inBilling = '也可以在那里改用其他银行卡。'

const toInvoice = (id: string, label = '查看账单') => ({ label, path: `/payment/${id}` })
const toPay = ({ id, due }: MailedInvoice, figures: Figures) => toInvoice(id, `支付 ${figures.money(due)}`)
const toBilling = { label: '打开费用', path: '/billing' }
const toBalanceDetail = { label: '查看余额', path: '/balanceDetail' }

/** How what is renewed is paid, as the account stands now. */
function howPaid({ promo, balance, card, rolled }: MailFacts['renewalSoon']['split'], figures: Figures): string {
  const has = [
    ...(promo.minor > 0 ? [`赠送额度 ${figures.money(promo)}`] : []),
    ...(balance.minor > 0 ? [`余额 ${figures.money(balance)}`] : []),
    ...(card.minor > 0 ? [`银行卡 ${figures.money(card)}`] : []),
  ]
  const paid = has.length > 0 ? [`按目前情况，支付方式为：${has.join('，')}。`] : []
  const left = rolled.minor > 0 ? [`${figures.money(rolled)} 金额太小，不单独扣卡，计入下期账单。`] : []
  return [...paid, ...left].join('') || '不会从银行卡扣款。'
}

/** The consequence if a bill stays unpaid. */
function consequence(clusters: readonly string[], stopsAt: Date, keptUntil: Date, figures: Figures): string {
  return clusters.length > 0
    ? `若到${figures.deadline(stopsAt)}仍未支付，${clusters.join('、')} 将停止运行，文件保留至${figures.deadline(keptUntil)}，之后销毁。`
    : `若到${figures.deadline(stopsAt)}仍未支付，将不能创建新的集群；现有集群照常运行。`
}

export const zhTexts: MailTexts = {
  receipt: (facts, figures) => {
    const { invoice, at } = facts
    const table = receiptTable(facts, locale, figures)
    const { means, rolled } = paidBy(facts, locale, figures)
    return plainMail(`已支付 ${table.total?.value}`, [`${whatFor(invoice, locale)}。`], {
      table,
      after: [
        ...(means.length > 0 ? [`支付方式：${means.join('，')}。`] : []),
        ...(rolled ? [`${rolled} 金额太小，不单独扣卡，计入下期账单。`] : []),
        `账单 ${invoice.number}，支付时间 ${figures.time(at)}。PDF 见附件。`,
      ],
      action: toInvoice(invoice.id),
      pdfOf: invoice.id,
    })
  },
  renewalSoon: (facts, figures) =>
    plainMail(`${figures.day(facts.at)}将扣款 ${figures.money(facts.total)}`, ['以下服务将续费一个月。'], {
      table: renewalTable(facts, locale, figures),
      action: toBilling,
      after: [`${howPaid(facts.split, figures)}无需任何操作。`],
    }),
  failed: ({ invoice, code, nextAt, stopsAt, keptUntil, at }, figures) =>
    plainMail(
      `${figures.money(invoice.due)} 未能扣款`,
      [
        code ? reasonText({ key: code }, locale) : '没有可用于支付的银行卡。',
        nextAt ? `一切照常运行，${figures.day(nextAt)}会再次尝试。` : '四次尝试均未成功，不再自动扣款。',
      ],
      {
        table: invoiceTable(invoice, locale, figures),
        action: toPay(invoice, figures),
        after: [
          `本次尝试：${figures.time(at)}。${inBilling}`,
          ...(stopsAt && keptUntil ? [consequence(invoice.clusters, stopsAt, keptUntil, figures)] : []),
        ],
      },
    ),
  approve: ({ invoice, amount, stopsAt, keptUntil }, figures) =>
    plainMail(
      stopsAt
        ? `请在 ${figures.deadline(stopsAt)} 前确认付款 ${figures.money(amount)}`
        : `请在银行页面确认付款 ${figures.money(amount)}`,
      [stopsAt ? '银行要求你确认这笔付款。确认之前不会扣款，一切照常运行。' : '确认之前不会扣款。'],
      {
        facts: [
          { label: '用于', value: whatFor(invoice, locale) },
          ...(stopsAt ? [{ label: '期限', value: figures.deadline(stopsAt) }] : []),
          ...(stopsAt && keptUntil
            ? [{ label: '逾期', value: consequence(invoice.clusters, stopsAt, keptUntil, figures) }]
            : []),
        ],
        table: invoiceTable(invoice, locale, figures),
        action: { label: `确认付款 ${figures.money(amount)}`, path: `/payment/${invoice.id}` },
        after: ['按钮先打开控制台，再转到银行的页面。也可以在那里改用其他银行卡。'],
      },
    ),
  orderLapses: ({ invoice, at }, figures) =>
    plainMail(
      '请在 4 小时内付款，否则订单将取消',
      [`${whatFor(invoice, locale)}：尚未付款。${figures.deadline(at)} 前未付款，订单将取消。`],
      { table: invoiceTable(invoice, locale, figures), action: toPay(invoice, figures), after: [inBilling] },
    ),
  stopped: ({ invoice, until }, figures) =>
    plainMail(
      invoice.clusters.length > 0 ? `已停止：${invoice.clusters.join('、')}` : '你的账单已逾期',
      [
        `四次尝试后仍未能扣款 ${figures.money(invoice.due)}。`,
        invoice.clusters.length > 0
          ? `${invoice.clusters.join('、')} 已停止。文件保留到 ${figures.deadline(until)}，之后将被删除。`
          : `集群照常运行。若到${figures.deadline(until)}仍未支付，套餐将降为 Free。`,
        '付清之前不能创建新的集群或工作节点。',
      ],
      {
        table: invoiceTable(invoice, locale, figures),
        action: toPay(invoice, figures),
        after: [invoice.clusters.length > 0 ? `付清后一分钟内全部恢复运行，文件不受影响。${inBilling}` : inBilling],
      },
    ),
  daysLeft: ({ invoice, days, until }, figures) =>
    plainMail(
      `还剩 ${days} 天支付 ${figures.money(invoice.due)}`,
      [
        invoice.clusters.length > 0
          ? `若届时仍未付款，${figures.deadline(until)}将销毁 ${invoice.clusters.join('、')} 及其全部文件。`
          : `若届时仍未付款，${figures.deadline(until)}套餐将降为 Free。`,
      ],
      { table: invoiceTable(invoice, locale, figures), action: toPay(invoice, figures), after: [inBilling] },
    ),
  destroyed: ({ invoice }, figures) =>
    plainMail(
      invoice.clusters.length > 0 ? `已销毁：${invoice.clusters.join('、')}` : '你的套餐已降为 Free',
      [
        `${figures.money(invoice.due)} 未按时支付。`,
        ...(invoice.clusters.length > 0 ? ['实例及其文件已被删除，无法恢复。'] : []),
      ],
      {
        table: invoiceTable(invoice, locale, figures),
        action: toPay(invoice, figures),
        after: ['账单仍可支付，付清后即可重新创建。'],
      },
    ),
  restored: ({ invoice }) =>
    plainMail(
      invoice.clusters.length > 0 ? `恢复运行：${invoice.clusters.join('、')}` : '你的账单已付清',
      [
        `账单 ${invoice.number} 已付清，谢谢。`,
        ...(invoice.clusters.length > 0 ? ['已停止的集群将在一分钟内恢复运行，文件不受影响。'] : []),
      ],
      { action: toInvoice(invoice.id) },
    ),
  cardExpires: ({ brand, last4, month, year }) =>
    plainMail(`尾号 ${last4} 的银行卡即将到期`, [`${brand} 尾号 ${last4} 可扣款至 ${year} 年 ${month} 月底。`], {
      action: toBilling,
      after: ['请添加新卡，以免服务停止。'],
    }),
  plan: ({ name, at }, figures) =>
    plainMail(`你已使用 ${name[locale]} 套餐`, [`${name[locale]} 套餐自 ${figures.time(at)} 起生效。`], {
      action: toBilling,
    }),
  cap: ({ percent, used, cap }, figures) =>
    plainMail(
      percent >= 100 ? '已达到你设置的消费上限' : `已使用消费上限的 ${percent}%`,
      [
        percent >= 100
          ? '超出套餐额度的收费用量已冻结，直到本周期结束或你提高上限。不会删除任何内容。'
          : '这是本周期内超出套餐额度的用量费用。',
      ],
      {
        table: {
          rows: [{ label: '目前用量费用', value: figures.money(used) }],
          total: { label: '你的上限', value: figures.money(cap) },
        },
        action: { ...toBilling, label: '修改上限' },
      },
    ),
  refundReturned: ({ amount, at }, figures) =>
    plainMail(`退回银行卡的 ${figures.money(amount)} 未能入账`, ['你的银行卡没有接收这笔退款，款项已回到余额。'], {
      action: toBalanceDetail,
      after: [`退回时间：${figures.time(at)}。余额会优先用于支付后续账单。`],
    }),
  refund: ({ name, toBalance, offOwed, toPromo, at }, figures) =>
    plainMail(
      `${name} 退款 ${figures.money(toBalance.minor > 0 ? toBalance : offOwed.minor > 0 ? offOwed : toPromo)}`,
      ['已付费用中未使用的部分退回如下。'],
      {
        table: {
          rows: [
            ...(toBalance.minor > 0 ? [{ label: '退回余额', value: figures.money(toBalance) }] : []),
            ...(offOwed.minor > 0 ? [{ label: '从未付账单中扣减', value: figures.money(offOwed) }] : []),
            ...(toPromo.minor > 0 ? [{ label: '退回赠送额度', value: figures.money(toPromo) }] : []),
          ],
        },
        action: toBalanceDetail,
        after: [`计费至 ${figures.time(at)}。余额会优先用于支付后续账单。`],
      },
    ),
  usage: ({ product, percent, used, quota, unitLabel, isLimited, rate, endsAt }, figures) => {
    const name = measuredNames[product]
    const above = rate && `超出部分每 ${unitLabel} ${figures.rate(rate)}。`
    const [heading, first] = isLimited
      ? [`${name}已超出上限`, `请升级套餐以增加${name}；否则将于 ${figures.day(endsAt)} 的下一周期恢复。`]
      : percent === 100
        ? [`套餐内的${name}已用完`, `一切照常运行。${above ?? ''}`]
        : [
            `已使用套餐内${name}的 ${percent}%`,
            `本周期于 ${figures.day(endsAt)} 结束。${above ?? '超出部分不会收费，用完即停止。'}`,
          ]
    return plainMail(heading, [first], {
      table: {
        rows: [{ label: '目前已用', value: figures.amount(used, unitLabel) }],
        total: { label: '套餐包含', value: figures.amount(quota, unitLabel) },
      },
      action: { ...toBilling, label: '比较套餐' },
      after: ['不会删除任何内容。'],
    })
  },
}

const measuredNames: Readonly<Record<MeteredProduct, string>> = {
  cloud_storage: '存储',
  cloud_backup: '备份空间',
  cloud_traffic: '流量',
  cdn_traffic: 'CDN 流量',
}
