/** The sentence of an approved act: the same in the wallet and on the page that asks for it. */
import type { ApprovalStatement } from '@atoll/contract/staff'
import { currencySymbols, type Locale, lookUp } from '@atoll/contract/wire'
import { fillText } from './fill-text.ts'
import tables from './tables/acts.gen.ts'

/** By the act, and where it has several, by the first word of its object; `.one`: its object names one of several. */
const sentences: Record<Locale, Readonly<Record<string, string>>> = tables

type Asked = Pick<ApprovalStatement, 'act' | 'object' | 'amount' | 'currency'>

/** The sentence for what is asked about `name`; undefined: this program does not know the act, and must not sign it. */
export function actSentence(
  { act, object, amount, currency }: Asked,
  name: string,
  locale: Locale,
): string | undefined {
  const [kind, one = ''] = object.split(' ')
  const found =
    sentences[locale][`${act}.${kind}${one && '.one'}`] ??
    lookUp<string, string | undefined>(sentences[locale], act, undefined)
  if (found === undefined) return undefined
  const sum = amount === undefined || !currency ? '' : `${currencySymbols[currency]}${(amount / 100).toFixed(2)}`
  return fillText(found, { amount: sum, name, one })
}
