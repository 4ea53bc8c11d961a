import type { AuditFacts, AuditRecord } from '@atoll/contract/audit'
import { displayName, type Locale } from '@atoll/contract/wire'
import { auditFactValue, auditSentence } from '@atoll/texts/audit'
import type { Translate } from '../locales/text.ts'
import { amountFact } from './amount-fact.ts'

interface Reader {
  userid: string
  t: Translate
  locale: Locale
  /** The catalogue's name of a size. */
  offeringTitle: (offering: string) => string
}

const minus = /^\u2212/

/** A record as a sentence: 'Added Worker 1 (Tide 2) to Rangiroa'. */
export function describeRecord(record: AuditRecord, reader: Reader): string {
  const params = paramsOf(record, reader)
  const isKnown = (part: string) => [...part.matchAll(/\{(\w+)\}/g)].every(([, name]) => params[name ?? ''] != null)
  return (
    auditSentence(record.action, reader.locale)
      .replace(/\[([^\]]*)\]/g, (_, part: string) => (isKnown(part) ? part : ''))
      .replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
      // Spaces set names apart from Chinese; one between Chinese words is none.
      .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
  )
}

function paramsOf(
  { object, before, after, isErased }: AuditRecord,
  { userid, t, locale, offeringTitle }: Reader,
): AuditFacts {
  const facts = { ...before, ...Object.fromEntries(Object.entries(after ?? {}).filter(([, fact]) => fact !== null)) }
  const { offering, instance, name } = facts
  const { owner } = object
  const erased = isErased ? t('activity.erased') : null
  const worker = /^worker-(\d+)$/.exec(String(instance))?.[1]
  return {
    // A fact with a name is shown by it and not as a number: plan 2 is Starter.
    ...Object.fromEntries(
      Object.entries(facts).map(([key, fact]) => [
        key,
        fact === null ? null : (auditFactValue(key, String(fact), locale) ?? fact),
      ]),
    ),
    id: name ?? null,
    name: object.name ?? erased,
    oldName: before?.['clusterName'] ?? null,
    account: owner === null ? erased : owner.userid === userid ? t('detail.byYou') : displayName(owner),
    // The verb says to whom it went.
    amount: amountFact(facts, 'amount', locale)?.replace(minus, '') ?? null,
    // One that was taken away is not what it was.
    spendCap: amountFact(after ?? {}, 'spendCap', locale) ?? after?.['spendCap'] ?? null,
    size: typeof offering === 'string' ? offeringTitle(offering) : null,
    // Of a master the cluster's name says it; older records do not say which worker.
    instance:
      instance === 'master' ? null : worker ? t('cluster.workerNumber', { number: worker }) : t('activity.aWorker'),
  }
}
