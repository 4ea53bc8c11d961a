/** The page that asks before a kind of mail ends, and that says that it has. No script, nothing from elsewhere. */
import type { OptionalMail } from '@atoll/contract/accounts'
import type { Locale } from '@atoll/contract/wire'
import { documentTexts } from '@atoll/texts/documents'
import { fillText } from '@atoll/texts/fill-text'
import { escapeHtml } from '../../../platform/escape-html.ts'

interface UnsubscribePage {
  mail: OptionalMail
  isDone: boolean
  locale: Locale
  product: string
  publicUrl: string
}

/** The few tokens of the design language that it needs. */
const style = `
:root{color-scheme:light dark;--bg:#FAF9F7;--surface:#FFF;--line:#E7E4DE;--text:#1C1A17;--quiet:#57534C;--fill:#0A6672;--accent:#0A6672}
@media (prefers-color-scheme:dark){:root{--bg:#121110;--surface:#191816;--line:#2B2926;--text:#EFEDE8;--quiet:#B5B0A7;--fill:#0F7B87;--accent:#72C4CB}}
body{margin:0;background:var(--bg);color:var(--text);font:14px/22px Inter,"PingFang SC","HarmonyOS Sans SC","Microsoft YaHei UI","Noto Sans SC",system-ui,sans-serif}
main{box-sizing:border-box;max-width:440px;margin:12vh auto 0;padding:28px 24px;border:1px solid var(--line);border-radius:14px;background:var(--surface)}
@media (max-width:480px){main{margin:32px 16px 0}}
p{margin:0 0 20px;color:var(--quiet);text-wrap:pretty}h1{margin:0 0 6px;font-size:20px;line-height:28px;font-weight:600}
.brand{margin:0 0 16px;font-weight:600;color:var(--accent)}
button,a{display:inline-block;box-sizing:border-box;min-height:44px;padding:11px 18px;border:0;border-radius:8px;background:var(--fill);color:#FFF;font:600 14px/22px inherit;font-family:inherit;text-decoration:none;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`

export function unsubscribePage({ mail, isDone, locale, product, publicUrl }: UnsubscribePage): string {
  const t = documentTexts[locale].unsubscribe
  const title = fillText(isDone ? t.done : t.ask, { kind: t.kinds[mail] })
  const act = isDone
    ? `<a href="${escapeHtml(new URL('/profile', publicUrl).href)}">${t.open}</a>`
    : `<form method="post"><button>${t.act}</button></form>`
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(`${title} · ${product}`)}</title><style>${style}</style></head>
<body><main>
<p class="brand">${escapeHtml(product)}</p>
<h1>${title}</h1>
<p>${isDone ? t.doneText : t.askText}</p>
${act}
</main></body></html>
`
}
