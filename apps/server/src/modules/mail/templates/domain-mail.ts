import { httpsFaults, toDomainBase } from '@atoll/contract/domains'
import type { Locale } from '@atoll/contract/wire'
import { fillText } from '@atoll/texts/fill-text'
import { fillParagraphs, mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import { deadlineText } from './deadline-text.ts'
import type { MailFact } from './mail-frame.ts'
import { defineMail } from './mail-kind.ts'

const Iso = z.iso.datetime()
/** A deadline, and the zone that its reader reads it in, an IANA name. */
const deadline = { until: Iso, timeZone: z.string().default('UTC') }
/** Certificates: some of their names and how many there are besides, and whose fault it is; null: nobody's. */
const certificates = {
  domain: z.string(),
  names: z.array(z.string()).min(1),
  more: z.int().min(0),
  fault: z.enum(httpsFaults).nullable(),
}
const Params = z.discriminatedUnion('event', [
  /** An ID is offered, with what takes it. */
  z.object({ event: z.literal('invited'), domain: z.string(), name: z.string(), password: z.string(), until: Iso }),
  /** The domain was removed, and the ID under it went with it. */
  z.object({ event: z.literal('nameLost'), domain: z.string(), name: z.string() }),
  /** The domain's owner ended the ID. */
  z.object({ event: z.literal('memberRemoved'), domain: z.string(), name: z.string() }),
  z.object({ event: z.literal('delegationLost'), domain: z.string(), since: Iso }),
  z.object({ event: z.literal('delegationBack'), domain: z.string() }),
  /** Somebody else has proven it. */
  z.object({ event: z.literal('contested'), domain: z.string(), ...deadline }),
  z.object({ event: z.literal('contestOver'), domain: z.string() }),
  z.object({ event: z.literal('domainReleased'), domain: z.string() }),
  z.object({ event: z.literal('offered'), domain: z.string(), from: z.string(), ...deadline }),
  z.object({ event: z.literal('handedOver'), domain: z.string(), to: z.string() }),
  /** Certificates could not be got, or renewed, for three days. */
  z.object({ event: z.literal('httpsFailing'), ...certificates, since: Iso }),
  /** Certificates that were not renewed, with a sixth of their life left. */
  z.object({ event: z.literal('httpsEnding'), ...certificates, ...deadline }),
])
type DomainNews = z.output<typeof Params>

/** Every reader understands the same day and hour of it. */
const moment = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`

/** Events of a custom domain, to its owner and to those who have an ID under it. */
export const domainMail = defineMail({
  kind: 'domain',
  params: Params,
  compose: (news, { product }, locale) => {
    const t = mailTexts[locale].domain
    const texts: { heading: string; before: string; after?: string } = t[news.event]
    const params = { product, ...paramsOf(news, locale) }
    const heading = fillText(texts.heading, params)
    const before = fillParagraphs(texts.before, params)
    return {
      subject: heading,
      heading,
      preview: before[0] ?? '',
      before,
      ...(news.event === 'invited' && { figure: news.password }),
      facts: factsOf(news, locale),
      action: actionOf(news, t.openDomain, t.openConsole),
      after: fillParagraphs(texts.after ?? '', params),
      reason: fillText(news.event === 'invited' ? t.reasonInvited : t.reason, params),
    }
  },
})

function paramsOf(news: DomainNews, locale: Locale): Record<string, string> {
  const t = mailTexts[locale].domain
  const { domain } = news
  switch (news.event) {
    case 'invited':
      return { domain, name: news.name, until: moment(news.until) }
    case 'nameLost':
    case 'memberRemoved':
      return { domain, name: news.name }
    case 'delegationLost':
      return { domain, since: moment(news.since) }
    case 'contested':
      return { domain, until: deadlineText(new Date(news.until), news.timeZone, locale) }
    case 'offered':
      return { domain, from: news.from, until: deadlineText(new Date(news.until), news.timeZone, locale) }
    case 'handedOver':
      return { domain, to: news.to }
    case 'httpsFailing':
    case 'httpsEnding': {
      const names = news.names.join(t.separator)
      return {
        domain,
        names: news.more > 0 ? fillText(t.names, { names, more: news.more }) : names,
        fault: news.fault ? t.faults[news.fault] : '',
        ...(news.event === 'httpsFailing'
          ? { since: moment(news.since) }
          : { until: deadlineText(new Date(news.until), news.timeZone, locale) }),
      }
    }
    default:
      return { domain }
  }
}

/** Those that the news has: about whom or what it is, since when and until when. */
function factsOf(news: DomainNews, locale: Locale): MailFact[] {
  const labels = mailTexts[locale].domain.facts
  const zone = 'timeZone' in news ? news.timeZone : 'UTC'
  const time = (iso: string) => deadlineText(new Date(iso), zone, locale)
  return [
    { label: labels.domain, value: news.domain },
    ...('name' in news ? [{ label: labels.id, value: news.name }] : []),
    ...('from' in news ? [{ label: labels.from, value: news.from }] : []),
    ...('to' in news ? [{ label: labels.to, value: news.to }] : []),
    ...('names' in news ? [{ label: labels.names, value: namesText(news.names, news.more) }] : []),
    ...('since' in news ? [{ label: labels.since, value: time(news.since) }] : []),
    ...('until' in news ? [{ label: labels.until, value: time(news.until) }] : []),
  ]
}

function namesText(names: readonly string[], more: number): string {
  return [...names, ...(more > 0 ? [`+${more}`] : [])].join(', ')
}

/** A domain that is no longer the reader's has no page of its own. */
function actionOf(news: DomainNews, domain: string, console: string) {
  const isTheirs = !(['invited', 'nameLost', 'memberRemoved', 'domainReleased', 'offered', 'handedOver'] as const).some(
    (event) => event === news.event,
  )
  if (isTheirs) return { label: domain, path: `/domain/${toDomainBase(news.domain)}` }
  return { label: console, path: news.event === 'offered' ? '/domains' : '/' }
}
