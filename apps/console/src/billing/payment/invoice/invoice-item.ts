import type { Translate } from '../../../locales/text.ts'
import type { Invoice } from './use-payment.ts'

export type Item = Invoice['items'][number]

/** Whether readings explain the line: those lines open. */
export function isUsage({ explain }: Pick<Item, 'explain'>): boolean {
  return explain.rule === 'usage'
}

/** The subject of the line: 'Tide 4 · Manihi, master'. */
export function nameOf({ priceInfo, of }: Item, t: Translate): string {
  return [priceInfo.productName, of].filter(Boolean).join(t('money.dot'))
}
