/** The status page: one file of HTML without a script, from a report alone. Times are UTC: it is everybody's. */
import { createHash } from 'node:crypto'
import { type Announcement, type StatusState, statusStates } from '@atoll/contract/announcements'
import type { Locale } from '@atoll/contract/wire'
import { announcedTexts } from '@atoll/texts/announced'
import { documentTexts } from '@atoll/texts/documents'
import { fontFace, inter } from '../../../http/pages/product-fonts.ts'
import { escapeHtml } from '../../../platform/escape-html.ts'
import { deadlineText } from '../../mail/index.ts'
import { worst } from './decide-status.ts'
import { shownDays } from './status-make.ts'
import type { StatusPart, StatusReport } from './status-store.ts'

export interface StatusPageFacts {
  product: string
  locale: Locale
  /** The report is the last copy of a database that is away. */
  isOld: boolean
  links: { /** The other language. */ other: string; feed: string; console: string; fonts: string }
}

const dayMs = 24 * 60 * 60_000

const styleOf = (fonts: string) => `${fontFace(inter, fonts)}
:root{color-scheme:light dark;--bg:#FAF9F7;--card:#FFFFFF;--text:#1C1A17;--text2:#57534C;--line:#E7E4DE;--link:#0A6672;--none:#E7E4DE;--works:#2E9E63;--limited:#BD7A0C;--down:#E2604A;--works-text:#1B6B43;--limited-text:#855300;--down-text:#B23A28}
@media(prefers-color-scheme:dark){:root{--bg:#121110;--card:#191816;--text:#EFEDE8;--text2:#B5B0A7;--line:#2B2926;--link:#72C4CB;--none:#2B2926;--works:#3FB67A;--limited:#DFA534;--down:#EC6B57;--works-text:#74CF9E;--limited-text:#E9B657;--down-text:#F58E7C}}
html,*{box-sizing:border-box}body{margin:0;padding:40px 16px;background:var(--bg);color:var(--text);font:14px/20px "Inter Variable","PingFang SC","HarmonyOS Sans SC","MiSans","Microsoft YaHei UI","Noto Sans SC",system-ui,sans-serif}
:lang(zh){line-height:22px}main{max-width:720px;margin:0 auto}header,li>div,footer{display:flex;justify-content:space-between;gap:4px 16px;flex-wrap:wrap}
h1{font-size:24px;line-height:32px;font-weight:600;margin:24px 0}h2{font-size:16px;line-height:24px;font-weight:600;margin:32px 0 12px}h3{font-size:14px;line-height:20px;font-weight:600;margin:0}
p{margin:8px 0 0;overflow-wrap:anywhere;white-space:pre-line}ul{list-style:none;margin:0;padding:0}a{color:var(--link)}.quiet{color:var(--text2)}
li,.note{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;margin-bottom:10px}svg{display:block;width:100%;height:26px;margin:10px 0 6px}rect{fill:var(--none)}
${statusStates.map((state) => `b.${state}{font-weight:600;color:var(--${state}-text)}rect.${state}{fill:var(--${state})}`).join('')}footer{margin-top:32px;padding-top:16px;border-top:1px solid var(--line);color:var(--text2)}`

export interface Rendered {
  body: string
  /** Allows the page's own style and font, and nothing else. */
  policy: string
}

export function renderStatus(report: StatusReport | undefined, facts: StatusPageFacts): Rendered {
  const { product, locale, links } = facts
  const words = documentTexts[locale].status
  const style = styleOf(links.fonts)
  const hash = createHash('sha256').update(style).digest('base64')
  const title = `${product} · ${words.title}`
  const body = `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><link rel="alternate" type="application/rss+xml" title="${escapeHtml(title)}" href="${escapeHtml(links.feed)}"><style>${style}</style></head><body><main><header><b>${escapeHtml(product)}</b><nav><a href="${escapeHtml(links.other)}" lang="${locale === 'zh-CN' ? 'en-US' : 'zh-CN'}">${words.other}</a></nav></header>
${report ? content(report, facts) : `<h1>${words.none}</h1><p>${words.noneText}</p>`}
<footer><span>${report ? words.looked.replace('{at}', moment(report.at, locale)) : ''}</span><span><a href="${escapeHtml(links.feed)}">${words.feed}</a> · <a href="${escapeHtml(links.console)}">${words.console}</a></span></footer></main></body></html>\n`
  return {
    body,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

const moment = (at: string, locale: Locale) => deadlineText(new Date(at), 'UTC', locale)

function content(report: StatusReport, { locale, isOld }: StatusPageFacts): string {
  const words = documentTexts[locale].status
  const at = Date.parse(report.at)
  const isLiving = ({ endedAt }: Announcement) => endedAt === null
  const hasBegun = ({ startsAt }: Announcement) => Date.parse(startsAt) <= at
  const [now, planned, past] = [
    report.announcements.filter((one) => isLiving(one) && hasBegun(one)),
    report.announcements.filter((one) => isLiving(one) && !hasBegun(one)),
    report.announcements.filter((one) => !isLiving(one)),
  ]
  // An announcement that names no part makes none worse, and the whole all the same.
  const state = worst([...report.parts.map((part) => part.state), ...now.map(({ impact }) => impact)])
  const section = (title: string, all: readonly Announcement[]) =>
    all.length === 0
      ? ''
      : `<h2>${title}</h2><ul>${all.map((one) => announcement(one, report.at, locale)).join('')}</ul>`
  return `<h1>${isOld ? words.old : words.overall[state]}</h1>
${isOld ? `<p class="note">${words.oldText.replace('{at}', moment(report.at, locale))}</p>` : ''}
${section(words.now, now)}${section(words.planned, planned)}
<h2>${words.parts}</h2><ul>${report.parts.map((part) => row(part, report.at, locale)).join('')}</ul>
${section(words.past, past) || `<h2>${words.past}</h2><p class="quiet">${words.noPast}</p>`}`
}

function row({ component, region, state, days }: StatusPart, at: string, locale: Locale): string {
  const words = documentTexts[locale].status
  const name = region
    ? words.clusters.replace('{region}', () => region[locale])
    : announcedTexts[locale].components[component]
  const sum = (key: StatusState) => days.reduce((total, day) => total + day[key], 0)
  const looks = sum('works') + sum('limited') + sum('down')
  // Rounded down: what was not whole is never called 100 %.
  const share = Math.floor(((sum('works') + sum('limited')) / looks) * 10_000) / 100
  const text = looks === 0 ? words.unseen : words.share.replace('{share}', share.toFixed(2))
  const bars = Array.from({ length: shownDays }, (_, index) => {
    const day = new Date(Date.parse(at) - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10)
    const seen = days.find((one) => one.day === day)
    const worst = seen && [...statusStates].reverse().find((each) => seen[each] > 0)
    return `<rect x="${index * 4}" width="3" height="26"${worst ? ` class="${worst}"` : ''}/>`
  })
  return `<li><div><h3>${escapeHtml(name)}</h3><b class="${state}">${announcedTexts[locale].states[state]}</b></div><svg viewBox="0 0 ${shownDays * 4 - 1} 26" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(words.history.replace('{text}', text))}">${bars.join('')}</svg><div class="quiet"><span>${text}</span></div></li>`
}

/** When it is or was, in words. */
export function spanOf({ startsAt, endsAt, endedAt }: Announcement, at: string, locale: Locale): string {
  const words = documentTexts[locale].status
  // Ended before it began: there is no such span.
  if (endedAt !== null && Date.parse(endedAt) < Date.parse(startsAt)) return words.canceled
  const from = moment(startsAt, locale)
  if (endedAt !== null) return words.between.replace('{from}', from).replace('{until}', moment(endedAt, locale))
  if (endsAt !== null) return words.window.replace('{from}', from).replace('{until}', moment(endsAt, locale))
  return (Date.parse(startsAt) > Date.parse(at) ? words.from : words.since).replace('{from}', from)
}

/** The parts and regions that it touches, in words. */
export function touchedBy({ components, regions }: Announcement, locale: Locale): string {
  const { separator, allRegions } = documentTexts[locale].status
  const parts = components.map((one) => announcedTexts[locale].components[one])
  const where = regions.map(({ title }) => title[locale]).join(separator) || allRegions
  return [parts.join(separator), where].filter(Boolean).join(' · ')
}

function announcement(one: Announcement, now: string, locale: Locale): string {
  const kind = announcedTexts[locale].kinds[one.kind]
  const facts = [kind, spanOf(one, now, locale), touchedBy(one, locale)]
  const updates = [...one.updates]
    .reverse()
    .map(({ at, text }) => `<p>${escapeHtml(text[locale])}<br><span class="quiet">${moment(at, locale)}</span></p>`)
  return `<li><div><h3>${escapeHtml(one.title[locale])}</h3>${one.endedAt === null ? `<b class="${one.impact}">${announcedTexts[locale].states[one.impact]}</b>` : ''}</div><p class="quiet">${escapeHtml(facts.join(' · '))}</p>${updates.join('')}</li>`
}
