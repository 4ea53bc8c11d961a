import type { InvoiceItem } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import type { InvoiceKind } from '../../records/documents/document-tables.ts'
import { billingWords } from './billing-words.ts'
import type { ChargedLine } from './charged-lines.ts'
import { invoiceTexts } from './invoice-texts.ts'

/** Names that a summary lists; the others are counted. */
const mostNames = 3

/** The name of the item sold: an instance's size, a plan, a metered product. */
export function productName(
  { product_type: product, terms }: Pick<ChargedLine, 'product_type' | 'terms'>,
  locale: Locale,
): string {
  const t = invoiceTexts[locale]
  if (product !== 'Instance') return t.metered[product]
  return terms.kind === 'plan' ? t.plan(terms.title[locale]) : terms.title[locale]
}

/** The name of the item sold, and its monthly price; usage has rates instead. */
export function priceInfoOf(line: ChargedLine, locale: Locale): InvoiceItem['priceInfo'] {
  return {
    productName: productName(line, locale),
    amount: line.product_type === 'Instance' ? line.terms.amount : 0,
  }
}

/** Which instance of which cluster; undefined for what is of none. */
export function instanceName({ cluster, instance }: ChargedLine, locale: Locale): string | undefined {
  if (cluster === null || instance === null) return undefined
  const words = billingWords[locale]
  return instance.role === 'master' ? words.master(cluster.name) : words.worker(cluster.name, instance.ordinal)
}

/** Which instance, and what it was sold as; of what is of none, what it was sold as alone. */
export function lineTitle(line: ChargedLine, locale: Locale): string {
  return [instanceName(line, locale), productName(line, locale)].filter(Boolean).join(invoiceTexts[locale].separator)
}

/** A short summary of an invoice: plans, clusters, workers added to them, metered products. */
export function summaryOf(kind: InvoiceKind, lines: readonly ChargedLine[], locale: Locale): string {
  const words = billingWords[locale]
  const names: string[] = []
  for (const own of Map.groupBy(lines, groupOf).values()) {
    const [first] = own
    if (first) names.push(groupName(own, first, locale))
  }
  const listed = names.slice(0, mostNames).join(words.separator)
  const what = names.length > mostNames ? words.more(listed, names.length - mostNames) : listed
  return kind === 'order' && lines.some(({ instance }) => instance?.role === 'master') ? words.order(what) : what
}

/** The instances of a cluster are one thing that is charged, as is each plan and each product. */
function groupOf({ cluster, product_type, item_id }: ChargedLine): string {
  return product_type === 'Instance' ? (cluster?.id ?? item_id) : product_type
}

function groupName(lines: readonly ChargedLine[], first: ChargedLine, locale: Locale): string {
  const cluster = first.cluster?.name
  if (cluster === undefined || first.product_type !== 'Instance') return productName(first, locale)
  if (lines.some(({ instance }) => instance === null || instance.role === 'master')) return cluster
  const words = billingWords[locale]
  return lines.length > 1 ? words.workers(cluster, lines.length) : (instanceName(first, locale) ?? cluster)
}
