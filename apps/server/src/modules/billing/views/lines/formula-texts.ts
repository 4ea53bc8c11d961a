import type { Locale } from '@atoll/contract/wire'

interface FormulaTexts {
  /** Of a whole period. */
  month: (price: string) => string
  /** A length of time, exactly. */
  units: {
    days: (n: number) => string
    hours: (n: number) => string
    minutes: (n: number) => string
    seconds: (n: number) => string
  }
  unitSeparator: string
  /** A part of a period of the price. */
  part: (price: string, part: string, whole: string) => string
  /** The price of a plan less that of the one before it. */
  instead: (price: string, before: string) => string
  notBelow: (difference: string, nothing: string) => string
  gbMonths: string
  within: (used: string, included: string) => string
  above: (used: string, included: string, above: string) => string
  free: (above: string) => string
  inPart: (period: string, text: string) => string
  rounded: (exact: string, amount: string) => string
  /** Before the calculation of what is billed again. */
  correction: string
  charged: (amount: string) => string
  waived: (amount: string) => string
  byCluster: (shares: string) => string
  share: (name: string, used: string) => string
  list: string
  coupon: {
    percent: (code: string, percent: number, of: string, total: string) => string
    amount: (code: string, amount: string, of: string, total: string) => string
    before: (amount: string) => string
    ofThat: (amount: string) => string
  }
  separator: string
}

const count = (one: string, many: string) => (n: number) => `${n} ${n === 1 ? one : many}`

export const formulaTexts: Record<Locale, FormulaTexts> = {
  'en-US': {
    month: (price) => `${price} × 1 month`,
    units: {
      days: count('day', 'days'),
      hours: (n) => `${n} h`,
      minutes: (n) => `${n} min`,
      seconds: (n) => `${n} s`,
    },
    unitSeparator: ' ',
    part: (price, part, whole) => `${price} × ${part} of ${whole}`,
    instead: (price, before) => `(${price} − ${before} of the plan before)`,
    notBelow: (difference, nothing) => `${difference}, not below ${nothing}`,
    gbMonths: 'GB-months',
    within: (used, included) => `${used}, within the ${included} included`,
    above: (used, included, above) => `${used} − ${included} included = ${above}`,
    free: (above) => `${above}, which cost nothing`,
    inPart: (period, text) => `${period}: ${text}`,
    rounded: (exact, amount) => (exact === amount ? `Together ${amount}` : `Together ${exact}, rounded to ${amount}`),
    correction: 'Correction: what was read of the period has changed since it was billed',
    charged: (amount) => `${amount} on earlier bills`,
    waived: (amount) => `${amount} waived, above what the limit lets through`,
    byCluster: (shares) => `By cluster: ${shares}`,
    share: (name, used) => `${name} ${used}`,
    list: ', ',
    coupon: {
      percent: (code, percent, of, total) => `Coupon ${code}: ${percent} % of ${of} = ${total}`,
      amount: (code, amount, of, total) => `Coupon ${code}: ${amount} off ${of} = ${total}`,
      before: (amount) => `${amount} taken on earlier bills of the period`,
      ofThat: (amount) => `${amount} of it here`,
    },
    separator: ', ',
  },
  'zh-CN': {
    month: (price) => `${price} × 1 个月`,
    units: {
      days: (n) => `${n} 天`,
      hours: (n) => `${n} 小时`,
      minutes: (n) => `${n} 分`,
      seconds: (n) => `${n} 秒`,
    },
    unitSeparator: ' ',
    part: (price, part, whole) => `${price} × ${part} ÷ ${whole}`,
    instead: (price, before) => `（${price} − 原套餐 ${before}）`,
    notBelow: (difference, nothing) => `${difference}，最低 ${nothing}`,
    gbMonths: 'GB·月',
    within: (used, included) => `${used}，未超出套餐内的 ${included}`,
    above: (used, included, above) => `${used} − 套餐内 ${included} = ${above}`,
    free: (above) => `${above}，不收费`,
    inPart: (period, text) => `${period}：${text}`,
    rounded: (exact, amount) => (exact === amount ? `共 ${amount}` : `共 ${exact}，舍入为 ${amount}`),
    correction: '更正：该周期出账后，读数有变',
    charged: (amount) => `此前账单已收 ${amount}`,
    waived: (amount) => `超出上限免收 ${amount}`,
    byCluster: (shares) => `各集群：${shares}`,
    share: (name, used) => `${name} ${used}`,
    list: '，',
    coupon: {
      percent: (code, percent, of, total) => `优惠券 ${code}：${of} 的 ${percent}% = ${total}`,
      amount: (code, amount, of, total) => `优惠券 ${code}：${of} 减 ${amount} = ${total}`,
      before: (amount) => `本期此前账单已减 ${amount}`,
      ofThat: (amount) => `其中此项 ${amount}`,
    },
    separator: '，',
  },
}
