import { documentTexts } from '@atoll/texts/documents'
import { fillText, formOf, inEachLocale } from '@atoll/texts/fill-text'

/** Texts of the invoice's file. In Chinese it is 账单: 发票 is a tax document. */
export const invoiceTexts = inEachLocale((locale) => {
  const t = documentTexts[locale].invoice
  return {
    ...t,
    account: (id: string) => fillText(t.account, { id }),
    plan: (name: string) => fillText(t.plan, { name }),
    master: (cluster: string, type: string) => fillText(t.master, { cluster, type }),
    worker: (cluster: string, worker: string, type: string) => fillText(t.worker, { cluster, worker, type }),
    days: (days: number) => fillText(formOf(t.days, 'days', days, locale) ?? '', { days }),
    coupon: (code: string) => fillText(t.coupon, { code }),
    card: (brand: string, last4: string) => fillText(t.card, { brand, last4 }),
    means: { ...t.means, card: (brand: string, last4: string) => fillText(t.means.card, { brand, last4 }) },
    payment: (state: string, means: string) => fillText(t.payment, { state, means }),
    page: (page: number, of: number) => fillText(t.page, { page, of }),
  }
})
