import { documentTexts } from '@atoll/texts/documents'
import { fillText, formOf, inEachLocale } from '@atoll/texts/fill-text'

export const formulaTexts = inEachLocale((locale) => {
  const t = documentTexts[locale].formula
  return {
    ...t,
    /** Of a whole period. */
    month: (price: string) => fillText(t.month, { price }),
    /** A length of time, exactly. */
    units: {
      days: (n: number) => fillText(formOf(t.units, 'days', n, locale) ?? '', { n }),
      hours: (n: number) => fillText(t.units.hours, { n }),
      minutes: (n: number) => fillText(t.units.minutes, { n }),
      seconds: (n: number) => fillText(t.units.seconds, { n }),
    },
    /** A part of a period of the price. */
    part: (price: string, part: string, whole: string) => fillText(t.part, { price, part, whole }),
    /** The price of a plan less that of the one before it. */
    instead: (price: string, before: string) => fillText(t.instead, { price, before }),
    notBelow: (difference: string, nothing: string) => fillText(t.notBelow, { difference, nothing }),
    within: (used: string, included: string) => fillText(t.within, { used, included }),
    above: (used: string, included: string, above: string) => fillText(t.above, { used, included, above }),
    free: (above: string) => fillText(t.free, { above }),
    inPart: (period: string, text: string) => fillText(t.inPart, { period, text }),
    rounded: (exact: string, amount: string) => fillText(exact === amount ? t.together : t.rounded, { exact, amount }),
    charged: (amount: string) => fillText(t.charged, { amount }),
    waived: (amount: string) => fillText(t.waived, { amount }),
    byCluster: (shares: string) => fillText(t.byCluster, { shares }),
    share: (name: string, used: string) => fillText(t.share, { name, used }),
    coupon: {
      percent: (code: string, percent: number, of: string, total: string) =>
        fillText(t.coupon.percent, { code, percent, of, total }),
      amount: (code: string, amount: string, of: string, total: string) =>
        fillText(t.coupon.amount, { code, amount, of, total }),
      before: (amount: string) => fillText(t.coupon.before, { amount }),
      ofThat: (amount: string) => fillText(t.coupon.ofThat, { amount }),
    },
  }
})
