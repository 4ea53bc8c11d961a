/**
 * The one frame of every mail. Tables and inline styles, because that is what mail programs draw; no picture and
 * nothing from elsewhere; the few colours that change in the dark stand in one style element that programs without it
 * ignore.
 */
import type { Locale } from '@atoll/contract/wire'
import { fillText } from '@atoll/texts/fill-text'
import { mailTexts } from '@atoll/texts/mails'
import { escapeHtml } from '../../../platform/escape-html.ts'

export interface MailBody {
  /** Shown in lists beside the subject. */
  preview: string
  heading: string
  /** Plain paragraphs, before and after the figure. */
  before: readonly string[]
  /** A code to be typed, large; absent when there is none. */
  figure?: string
  /** Facts about the event, its deadline and its cost: a line each, the value beside its label. */
  facts?: readonly MailFact[] | undefined
  /** Amounts, after the first paragraphs: labels on the left, amounts on the right. */
  table?: MailTable | undefined
  /** The one link: a button that opens a page of the console. */
  action?: { label: string; path: string } | undefined
  after: readonly string[]
  /** Why this mail came, small, under the line. */
  reason: string
}

export interface MailFact {
  label: string
  value: string
}

interface MailRow {
  label: string
  value: string
  /** Sentences below the label, small. */
  notes?: readonly string[] | undefined
}

export interface MailTable {
  rows: readonly MailRow[]
  /** The last row, stronger. */
  total?: MailRow | undefined
}

export interface MailSite {
  /** Name of the product. */
  product: string
  /** Address of the console, named at the foot as text. */
  url: string
  /** Where people who need help turn to; undefined: the operator names nobody. */
  support?: string | undefined
}

const latinFont = `Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`
const chineseFont = `'PingFang SC','HarmonyOS Sans SC','Microsoft YaHei UI','Noto Sans SC',sans-serif`

/** Lagoon, paper and ink of the design language, light; the style element below says what they are in the dark. */
const dark = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #121110 !important; }
    .card { background: #191816 !important; border-color: #2B2926 !important; }
    .text, .figure { color: #EFEDE8 !important; }
    .quiet { color: #B5B0A7 !important; }
    .well { background: #0D0C0B !important; border-color: #3D3A36 !important; }
    .rule { border-color: #2B2926 !important; }
    .brand { color: #72C4CB !important; }
  }`

/** The HTML form of a mail. Everything that is not ours is escaped. */
export function mailHtml(body: MailBody, site: MailSite, locale: Locale): string {
  const font = locale === 'zh-CN' ? chineseFont : latinFont
  const leading = locale === 'zh-CN' ? 26 : 24
  const paragraph = (text: string) =>
    `<p class="text" style="margin:0 0 16px;font:400 15px/${leading}px ${font};color:#1C1A17;text-wrap:pretty">${escapeHtml(text)}</p>`
  const figure = body.figure
    ? `<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>
<td class="well" align="center" style="padding:20px 12px;background:#F4F2EE;border:1px solid #E7E4DE;border-radius:10px">
<span class="figure" style="font:600 34px/42px 'JetBrains Mono',Menlo,Consolas,monospace;letter-spacing:0.18em;padding-left:0.18em;color:#1C1A17;white-space:nowrap">${escapeHtml(body.figure)}</span>
</td></tr></table><div style="height:20px;line-height:20px">&nbsp;</div>`
    : ''
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(body.heading)}</title>
<style>${dark}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#FAF9F7">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(body.preview)}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#FAF9F7"><tr>
<td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td class="brand" style="padding:0 4px 16px;font:620 18px/26px ${font};letter-spacing:-0.01em;color:#0A6672">${escapeHtml(site.product)}</td></tr>
<tr><td class="card" style="padding:28px 28px 20px;background:#FFFFFF;border:1px solid #E7E4DE;border-radius:14px">
<h1 class="text" style="margin:0 0 14px;font:600 22px/30px ${font};color:#1C1A17">${escapeHtml(body.heading)}</h1>
${body.before.map(paragraph).join('\n')}
${figure}${factsHtml(body.facts, font)}${tableHtml(body.table, font)}${actionHtml(body.action, site, font)}
${body.after.map(paragraph).join('\n')}
</td></tr>
<tr><td class="quiet" style="padding:16px 4px 0;font:400 13px/20px ${font};color:#57534C;text-wrap:pretty">${escapeHtml(body.reason)}<br>${escapeHtml(site.product)} · <span style="white-space:nowrap">${escapeHtml(site.url)}</span>${site.support === undefined ? '' : `<br>${escapeHtml(supportText(site.support, locale))}`}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function factsHtml(facts: MailBody['facts'], font: string): string {
  if (!facts?.length) return ''
  const style = `padding:9px 0;border-top:1px solid #E7E4DE;font:400 14px/22px ${font}`
  const row = ({ label, value }: MailFact) =>
    `<tr><td class="quiet rule" valign="top" style="${style};color:#57534C;padding-right:16px;white-space:nowrap">${escapeHtml(label)}</td>
<td class="text rule" width="100%" style="${style};color:#1C1A17">${escapeHtml(value)}</td></tr>`
  return `<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">${facts.map(row).join('\n')}</table><div style="height:16px;line-height:16px">&nbsp;</div>`
}

function tableHtml(table: MailTable | undefined, font: string): string {
  if (!table) return ''
  const note = (text: string) => `<div style="font:400 12px/18px ${font}">${escapeHtml(text)}</div>`
  const row = ({ label, value, notes = [] }: MailRow, strong: boolean) => {
    const style = `padding:9px 0;border-top:1px solid #E7E4DE;font:${strong ? 600 : 400} ${strong ? 16 : 14}px/22px ${font}`
    return `<tr><td class="${strong ? 'text' : 'quiet'} rule" style="${style};color:${strong ? '#1C1A17' : '#57534C'}">${escapeHtml(label)}${notes.map(note).join('')}</td>
<td class="text rule" align="right" valign="top" style="${style};color:#1C1A17;padding-left:16px;white-space:nowrap;font-variant-numeric:tabular-nums">${escapeHtml(value)}</td></tr>`
  }
  const rows = [...table.rows.map((one) => row(one, false)), ...(table.total ? [row(table.total, true)] : [])]
  return `<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">${rows.join('\n')}</table><div style="height:16px;line-height:16px">&nbsp;</div>`
}

function actionHtml(action: MailBody['action'], site: MailSite, font: string): string {
  if (!action) return ''
  return `<table role="presentation" cellpadding="0" cellspacing="0"><tr><td style="background:#0A6672;border-radius:8px">
<a href="${escapeHtml(addressOf(action, site))}" style="display:inline-block;padding:12px 20px;font:600 15px/22px ${font};color:#FFFFFF;text-decoration:none">${escapeHtml(action.label)}</a>
</td></tr></table><div style="height:20px;line-height:20px">&nbsp;</div>`
}

function addressOf({ path }: NonNullable<MailBody['action']>, site: MailSite): string {
  return new URL(path, site.url).href
}

/** A row a line: the name, then the amount; its notes below, further in. */
function tableText({ rows, total }: MailTable): string {
  return [...rows, ...(total ? [total] : [])]
    .flatMap(({ label, value, notes = [] }) => [`  ${label}  ${value}`, ...notes.map((text) => `    ${text}`)])
    .join('\n')
}

function supportText(support: string, locale: Locale): string {
  return fillText(mailTexts[locale].frame.help, { support })
}

/** The text form of the same mail. */
export function mailText(body: MailBody, site: MailSite, locale: Locale): string {
  const figure = body.figure ? [`    ${body.figure}`] : []
  const parts = [
    body.heading,
    ...body.before,
    ...figure,
    ...(body.facts?.length ? [body.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(body.table ? [tableText(body.table)] : []),
    ...(body.action ? [`${body.action.label}\n${addressOf(body.action, site)}`] : []),
    ...body.after,
    `-- \n${body.reason}\n${site.product} · ${site.url}${site.support === undefined ? '' : `\n${supportText(site.support, locale)}`}`,
  ]
  return `${parts.join('\n\n')}\n`
}
