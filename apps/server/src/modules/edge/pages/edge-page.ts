/**
 * The edge's own pages: what a visitor sees instead of a cluster that cannot answer. Nothing is loaded but the font.
 */
import { createHash } from 'node:crypto'
import type { Locale } from '@atoll/contract/wire'
import { documentTexts } from '@atoll/texts/documents'
import { fillText } from '@atoll/texts/fill-text'
import { fontFace, inter } from '../../../http/pages/product-fonts.ts'
import { escapeHtml } from '../../../platform/escape-html.ts'

export type EdgeFault =
  | 'unknown'
  | 'starting'
  | 'stopped'
  | 'offline'
  | 'held'
  | 'silent'
  | 'limited'
  | 'badRequest'
  | 'malformed'
  | 'busy'
  | 'often'
  | 'slow'
  | 'failed'

const faults: Record<EdgeFault, { status: number; retryAfter?: number }> = {
  unknown: { status: 404 },
  starting: { status: 503, retryAfter: 3 },
  stopped: { status: 503, retryAfter: 60 },
  offline: { status: 503, retryAfter: 15 },
  held: { status: 503, retryAfter: 300 },
  silent: { status: 502, retryAfter: 5 },
  limited: { status: 503, retryAfter: 60 },
  badRequest: { status: 400 },
  malformed: { status: 400 },
  often: { status: 429, retryAfter: 5 },
  busy: { status: 429, retryAfter: 5 },
  slow: { status: 408 },
  failed: { status: 500, retryAfter: 5 },
}

/** Folder of the edge's own on every host; below it the edge takes the font's file alone from an instance. */
const ownFolder = '/.atoll'
/** Where the edge serves the font of its pages, on every host. */
export const fontPath = `${ownFolder}/${inter.file}`

// Colours and type of the design language. Chinese breaks after clauses, but not in WebKit, which would then break
// nowhere.
const style = `${fontFace(inter, ownFolder)}
:root{color-scheme:light dark;--bg:#FAF9F7;--text:#1C1A17;--text2:#57534C;--text3:#6D685F;--line:#D4D0C8;--land:#EAF5F5;--mark:#0A6672;--dot:#0F7B87}
@media(prefers-color-scheme:dark){:root{--bg:#121110;--text:#EFEDE8;--text2:#B5B0A7;--text3:#938E85;--line:#3D3A36;--land:#0F2427;--mark:#72C4CB;--dot:#45AAB3}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:40px 24px;background:var(--bg);color:var(--text);overflow-x:hidden;
font:14px/20px "Inter Variable","PingFang SC","HarmonyOS Sans SC","MiSans","Microsoft YaHei UI","Noto Sans SC","Source Han Sans SC",system-ui,sans-serif;letter-spacing:-.006em}
:lang(zh){letter-spacing:0;line-height:22px;line-break:strict;word-break:keep-all}@supports(hanging-punctuation:first){:lang(zh){word-break:normal}}
main{max-width:440px;width:100%;position:relative}
h1{font-size:24px;line-height:32px;font-weight:600;letter-spacing:-.02em;margin:28px 0 8px;text-wrap:balance}:lang(zh) h1{letter-spacing:0;line-height:34px}
p{margin:0;color:var(--text2);text-wrap:pretty;overflow-wrap:anywhere}footer{margin-top:32px;padding-top:16px;border-top:1px solid var(--line);color:var(--text3);font-size:12px;line-height:16px;font-variant-numeric:tabular-nums}
.chart{position:fixed;right:-120px;bottom:-140px;width:560px;height:560px;z-index:-1;fill:none;stroke:var(--line)}.chart .land{fill:var(--land)}
@media(max-width:640px){.chart{right:-220px;bottom:-330px}}`
const styleHash = createHash('sha256').update(style).digest('base64')

const mark = `<svg width="32" height="32" viewBox="0 0 32 32" fill="none" aria-hidden="true"><g stroke="var(--mark)" stroke-width="5" stroke-linecap="round"><path d="M21.16 6.29A11 11 0 0 1 26.46 19.40"/><path d="M21.50 25.53A11 11 0 0 1 10.84 25.71"/><path d="M5.66 19.76A11 11 0 0 1 6.88 9.85"/></g><circle cx="13.34" cy="5.33" r="2.5" fill="var(--dot)"/></svg>`
/** Depth lines round an atoll, fading outward. */
const chart = `<svg class="chart" viewBox="0 0 560 560" aria-hidden="true"><path class="land" d="M280 214c40-14 78 12 82 54s-30 80-76 84-88-24-86-70 38-54 80-68z"/>
<path opacity=".9" d="M276 176c62-20 118 18 124 88s-44 130-118 134-134-40-130-114 62-88 124-108z"/><path opacity=".7" d="M272 136c84-28 164 26 172 128s-62 180-166 184-184-58-178-156 88-128 172-156z"/>
<path opacity=".5" d="M266 94c110-34 214 36 222 166s-82 232-214 236S40 420 48 294 156 128 266 94z"/><path opacity=".3" d="M262 52c134-40 262 44 270 208S430 542 268 546-8 450 0 296 128 92 262 52z"/></svg>`

export interface EdgePage {
  status: number
  headers: Record<string, string>
  body: string
}

export interface PageFacts {
  host: string
  locale: Locale
  product: string
  asHtml: boolean
  /** Seconds, where more is known than of the fault in general. */
  retryAfter?: number | undefined
}

/** The page for `fault`; `asHtml` false gives one line of text to programs. Never cached. */
export function renderEdgePage(fault: EdgeFault, { host, locale, product, asHtml, ...more }: PageFacts): EdgePage {
  const { status } = faults[fault]
  const words = documentTexts[locale].edge[fault]
  const retryAfter = more.retryAfter ?? faults[fault].retryAfter
  const text = fillText(words.text, { host })
  const again = retryAfter === undefined ? '' : `<meta http-equiv="refresh" content="${retryAfter}">`
  const body = asHtml
    ? `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${again}<meta name="robots" content="noindex"><title>${escapeHtml(words.title)}</title><style>${style}</style></head><body>${chart}<main>${mark}<h1>${escapeHtml(words.title)}</h1><p>${escapeHtml(text)}</p><footer>${escapeHtml(host)} · ${status} · ${escapeHtml(product)}</footer></main></body></html>\n`
    : `${words.title}${locale === 'zh-CN' ? '。' : '. '}${text}\n`
  return {
    status,
    body,
    headers: {
      'content-type': asHtml ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'content-language': locale,
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
  }
}
