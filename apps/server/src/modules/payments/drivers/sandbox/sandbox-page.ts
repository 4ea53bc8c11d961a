/** HTML of the sandbox's two pages: no script, nothing from elsewhere, marked as what it is. */
import type { DeclineCode } from '@atoll/contract/payments'
import type { Locale } from '@atoll/contract/wire'
import type { Money } from '@atoll/money'
import { documentTexts } from '@atoll/texts/documents'
import { reasonText } from '@atoll/texts/reasons'
import { fontFace, inter, jetBrainsMono } from '../../../../http/pages/product-fonts.ts'
import { escapeHtml } from '../../../../platform/escape-html.ts'
import { type CardFault, type CardField, cardFields } from './card-form.ts'
import { sandboxPath } from './sandbox-address.ts'
import { testNumbers } from './test-numbers.ts'

export const pageFonts = [inter, jetBrainsMono]

export interface PageFrame {
  locale: Locale
  product: string
  returnUrl: string
}

export interface CardPage extends PageFrame {
  faults?: Partial<Record<CardField, CardFault>>
  declined?: DeclineCode
}

/** The form is empty each time: what was typed is not sent back. */
export function cardPage({ faults = {}, declined, ...frame }: CardPage): string {
  const t = documentTexts[frame.locale].sandbox
  const fields = cardFields.map((field) => inputHtml(field, t.fields[field], faults[field] && t.faults[faults[field]]))
  const refused = declined
    ? `<p class="refused" role="alert">${escapeHtml(reasonText({ key: declined }, frame.locale))}</p>`
    : ''
  const known: Readonly<Record<string, string>> = t.numbers
  const numbers = testNumbers.map(
    ({ number }) =>
      `<tr><td><code>${number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</code></td><td>${escapeHtml(known[number] ?? '')}</td></tr>`,
  )
  return pageHtml(
    frame,
    t.cardTitle,
    `<p class="lead">${escapeHtml(t.cardLead)}</p>${refused}
<form method="post" autocomplete="off">${fields.join('')}
<p class="actions"><a class="button" href="${escapeHtml(frame.returnUrl)}">${escapeHtml(t.back)}</a><button class="primary">${escapeHtml(t.save)}</button></p></form>
<h2>${escapeHtml(t.numbersTitle)}</h2><table>${numbers.join('')}</table>`,
  )
}

export interface ConfirmPage extends PageFrame {
  amount: Money
  description: string
  card: { brand: string; last4: string }
}

export function confirmPage({ amount, description, card, ...frame }: ConfirmPage): string {
  const t = documentTexts[frame.locale].sandbox
  const figure = new Intl.NumberFormat(frame.locale, { style: 'currency', currency: amount.currency })
  const brand = card.brand.charAt(0).toUpperCase() + card.brand.slice(1)
  const rows = [
    [t.amount, figure.format(amount.minor / 100)],
    [t.payee, frame.product],
    [t.what, description],
    [t.card, `${brand} ···· ${card.last4}`],
  ]
  const facts = rows.map(([name = '', value = '']) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
  return pageHtml(
    frame,
    t.confirmTitle,
    `<p class="lead">${escapeHtml(t.confirmLead)}</p><dl>${facts.join('')}</dl>
<form method="post"><p class="actions"><button name="verdict" value="refuse">${escapeHtml(t.refuse)}</button><button class="primary" name="verdict" value="confirm">${escapeHtml(t.confirm)}</button></p></form>`,
  )
}

export function endedPage(frame: PageFrame): string {
  const t = documentTexts[frame.locale].sandbox
  return pageHtml(
    frame,
    t.endedTitle,
    `<p class="lead">${escapeHtml(t.endedLead)}</p><p class="actions"><a class="button" href="${escapeHtml(frame.returnUrl)}">${escapeHtml(t.back)}</a></p>`,
  )
}

function inputHtml(field: CardField, label: string, fault: string | undefined): string {
  const said = fault ? ` aria-invalid="true" aria-describedby="${field}-fault"` : ''
  const sentence = fault ? `<span class="fault" id="${field}-fault">${escapeHtml(fault)}</span>` : ''
  const most = { number: 23, expiry: 7, cvc: 4 }[field]
  return `<p class="field"><label for="${field}">${escapeHtml(label)}</label><input id="${field}" name="${field}" inputmode="numeric" maxlength="${most}" autocomplete="off"${said}>${sentence}</p>`
}

function pageHtml({ locale, product }: PageFrame, title: string, main: string): string {
  const t = documentTexts[locale].sandbox
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(`${title} · ${product}`)}</title><style>${style}</style></head>
<body><main><p class="mark"><b>${escapeHtml(t.mark)}</b> ${escapeHtml(t.markNote)}</p>
<section><h1>${escapeHtml(title)}</h1>${main}</section></main></body></html>
`
}

/** The tokens of the design language that these pages need. */
const style = `
${pageFonts.map((font) => fontFace(font, `${sandboxPath}/fonts`)).join('\n')}
:root{color-scheme:light dark;--bg:#FAF9F7;--surface:#FFF;--line:#E7E4DE;--line2:#D4D0C8;--field:#8C877D;--text:#1C1A17;--quiet:#57534C;--accent:#0A6672;--halo:#CFE7E9;--fill:#0A6672;--amber:#855300;--amberTint:#FCF4E3;--amberLine:#EBD5A6;--coral:#B23A28;--coralTint:#FDF0ED;--coralLine:#F3CBC2}
@media (prefers-color-scheme:dark){:root{--bg:#121110;--surface:#191816;--line:#2B2926;--line2:#3D3A36;--field:#77726A;--text:#EFEDE8;--quiet:#B5B0A7;--accent:#72C4CB;--halo:#17393D;--fill:#0F7B87;--amber:#E9B657;--amberTint:#282012;--amberLine:#4A3A18;--coral:#F58E7C;--coralTint:#2C1814;--coralLine:#58291F}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:14px/20px "Inter Variable","PingFang SC","HarmonyOS Sans SC","MiSans","Microsoft YaHei UI","Noto Sans SC","Source Han Sans SC",system-ui,sans-serif}
main{max-width:488px;margin:0 auto;padding:32px 16px 56px}
section{padding:20px 24px;border:1px solid var(--line);border-radius:10px;background:var(--surface)}
.mark{margin:0 0 16px;padding:8px 16px;border:1px solid var(--amberLine);border-radius:10px;background:var(--amberTint);color:var(--amber);text-wrap:pretty}
h1{margin:0;font-size:18px;line-height:26px;font-weight:600;letter-spacing:-0.014em}h1:lang(zh){letter-spacing:0}
h2{margin:24px 0 8px;font-size:13px;line-height:18px;font-weight:600}
.lead{margin:4px 0 16px;color:var(--quiet);text-wrap:pretty}
.refused{margin:0 0 16px;padding:8px 16px;border:1px solid var(--coralLine);border-radius:8px;background:var(--coralTint);color:var(--coral)}
.field{display:grid;gap:4px;margin:0 0 16px}label{font-size:13px;font-weight:520}
input{height:36px;padding:0 12px;border:1px solid var(--field);border-radius:8px;background:var(--surface);color:inherit;font:inherit;font-variant-numeric:tabular-nums}
input:focus{outline:3px solid var(--halo);outline-offset:0;border-color:var(--accent)}
input[aria-invalid]{border-color:var(--coral)}.fault{color:var(--coral);font-size:12.5px;line-height:18px}
.actions{display:flex;flex-wrap:wrap;justify-content:flex-end;gap:8px;margin:16px 0 0}
button,.button{display:inline-flex;align-items:center;min-height:36px;padding:0 16px;border:1px solid var(--line2);border-radius:8px;background:var(--surface);color:var(--text);font:inherit;font-weight:500;text-decoration:none;cursor:pointer}
.primary{border-color:var(--fill);background:var(--fill);color:#FFF}
button:focus-visible,.button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{width:100%;border-collapse:collapse}td{padding:8px 12px 8px 0;border-top:1px solid var(--line);vertical-align:top}td+td{padding-right:0;color:var(--quiet)}
code{font:12.5px/20px "JetBrains Mono Variable",Menlo,Consolas,monospace;white-space:nowrap}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 16px;margin:0}dt{color:var(--quiet)}dd{margin:0;text-align:right;overflow-wrap:anywhere}dd:first-of-type{font-variant-numeric:tabular-nums}
@media (max-width:767px){input{height:44px;font-size:16px}button,.button{min-height:44px}.actions>*{flex:1;justify-content:center}section{padding:16px}}`
