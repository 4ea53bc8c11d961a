import type { Locale } from '@atoll/contract/wire'
import { documentTexts } from '@atoll/texts/documents'
import { escapeHtml } from '../../../platform/escape-html.ts'
import { spanOf, touchedBy } from './status-page.ts'
import type { StatusReport } from './status-store.ts'

/** As it stands in XML, which has no place for most control characters: with one, no reader opens the feed. */
const escapeXml = (text: string) => escapeHtml(text.replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, ' '))

/** The feed, RSS 2.0: each thing that was said is an item, the newest first. */
export function renderFeed(
  report: StatusReport | undefined,
  { product, locale, page }: { product: string; locale: Locale; page: string },
): string {
  const items = (report?.announcements ?? []).flatMap((one) =>
    one.updates.map(({ at, text }, index) => ({ one, at, text: text[locale], guid: `${one.announcementId}-${index}` })),
  )
  const written = items
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, 100)
    .map(
      ({ one, at, text, guid }) =>
        `<item><title>${escapeXml(one.title[locale])}</title><link>${escapeXml(page)}</link><guid isPermaLink="false">${guid}</guid><pubDate>${new Date(at).toUTCString()}</pubDate><description>${escapeXml(`${text}\n${spanOf(one, at, locale)} · ${touchedBy(one, locale)}`)}</description></item>`,
    )
  const title = escapeXml(`${product} · ${documentTexts[locale].status.title}`)
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>${title}</title><link>${escapeXml(page)}</link><description>${title}</description><language>${locale}</language>
${written.join('\n')}
</channel></rss>\n`
}
