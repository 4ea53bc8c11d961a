/**
 * `/outbox`: the mails of the outbox folder, for the person who runs an embedded deployment on their own machine.
 * There is no sign-in in front of it, so it exists only where nobody else can ask: the outbox driver, an embedded
 * database, a server that listens on loopback, has its public address there too, and has no proxy before it; and it
 * answers only to a browser on this machine that names this machine, so that no other site can have a name of its own
 * lead here. No script; a mail is shown in a frame that may do nothing.
 */
import type { Locale } from '@atoll/contract/wire'
import { documentTexts } from '@atoll/texts/documents'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import PostalMime from 'postal-mime'
import { fontFace, fontHeaders, inter, jetBrainsMono } from '../../http/pages/product-fonts.ts'
import { defineEndpoint } from '../../http/rates/define-endpoint.ts'
import { localeOfRequest, pathOf, sendRefusal } from '../../http/request/answers.ts'
import { isForwarded } from '../../http/request/local-request.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import { isLoopback } from '../../platform/network-of.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Outbox } from './drivers/outbox/outbox-folder.ts'

const mostListed = 50
const fonts = [inter, jetBrainsMono]
const fontFolder = '/outbox/fonts'

export function outboxPlugin(outbox: Outbox, product: string): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    app.route({
      ...defineEndpoint({ method: 'GET', url: '/outbox', openBecause: 'it answers this machine alone' }),
      handler: async (request, reply) => {
        if (!isThisMachine(request)) return sendMissing(request, reply)
        const names = (await outbox.list()).slice(0, mostListed)
        const mails = await Promise.all(names.map(async (name) => ({ name, mail: await parse(outbox, name) })))
        return sendPage(reply, listPage(mails, product, localeOfRequest(request)))
      },
    })
    app.route<{ Params: { name: string } }>({
      ...defineEndpoint({ method: 'GET', url: '/outbox/:name', openBecause: 'it answers this machine alone' }),
      handler: async (request, reply) => {
        const source = isThisMachine(request) ? await outbox.read(request.params.name) : undefined
        if (!source) return sendMissing(request, reply)
        const as = (request.query as Record<string, unknown>)['as'] // Fastify's own parser gives a flat object
        if (as === 'html') {
          const { html } = await PostalMime.parse(source)
          return sendPage(reply, html ?? '', "style-src 'unsafe-inline'; sandbox")
        }
        return reply
          .type('message/rfc822')
          .header('content-disposition', `attachment; filename="${request.params.name}"`)
          .header('cache-control', 'no-store')
          .send(source)
      },
    })
    app.route<{ Params: { file: string } }>({
      ...defineEndpoint({ method: 'GET', url: `${fontFolder}/:file`, openBecause: 'it answers this machine alone' }),
      handler: async (request, reply) => {
        const font = isThisMachine(request) ? fonts.find(({ file }) => file === request.params.file) : undefined
        return font ? reply.headers(fontHeaders).send(font.bytes) : sendMissing(request, reply)
      },
    })
  }
}

/** Whether these settings make the outbox safe to show: see above. */
export function isOutboxShown(config: {
  databaseUrl: string | undefined
  host: string
  publicUrl: string
  trustProxy: number
}): boolean {
  const isLocal = isLoopback(config.host) && isLoopback(new URL(config.publicUrl).hostname)
  return config.databaseUrl === undefined && isLocal && config.trustProxy === 0
}

function isThisMachine(request: FastifyRequest): boolean {
  // A proxy on this machine forwards what strangers ask.
  return !isForwarded(request) && isLoopback(request.socket.remoteAddress ?? '') && isLoopback(request.hostname)
}

/** Anyone else is answered as if there were no such page. */
function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendRefusal(new Refusal('addressUnknown', { path: pathOf(request) }), request, reply, 404)
}

type Mail = Awaited<ReturnType<typeof PostalMime.parse>>

async function parse(outbox: Outbox, name: string): Promise<Mail | undefined> {
  const source = await outbox.read(name)
  return source && (await PostalMime.parse(source))
}

function sendPage(
  reply: FastifyReply,
  html: string,
  policy = "style-src 'unsafe-inline'; font-src 'self'; frame-src 'self'",
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', `default-src 'none'; frame-ancestors 'self'; ${policy}`)
    .header('x-frame-options', 'SAMEORIGIN')
    .send(html)
}

function listPage(mails: { name: string; mail: Mail | undefined }[], product: string, locale: Locale): string {
  const t = documentTexts[locale].outbox
  const shown = mails.flatMap(({ name, mail }) => (mail ? [{ name, mail }] : []))
  // The newest mail is open: it is mostly the code that was just sent.
  const cards = shown.map(({ name, mail }, index) => mailCard(name, mail, { locale, isOpen: index === 0 }))
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(`${t.title} · ${product}`)}</title><style>${style}</style></head>
<body><main>
<h1>${escapeHtml(t.title)}</h1>
<p class="lead">${escapeHtml(t.lead)}</p>
${cards.length > 0 ? cards.join('\n') : `<p class="empty">${escapeHtml(t.empty)}</p>`}
</main></body></html>
`
}

function mailCard(name: string, mail: Mail, { locale, isOpen }: { locale: Locale; isOpen: boolean }): string {
  const t = documentTexts[locale].outbox
  const open = isOpen ? ' open' : ''
  const to = mail.to?.map((one) => one.address).join(', ') ?? ''
  const when = mail.date ? new Date(mail.date) : undefined
  const time = when
    ? `<time datetime="${when.toISOString()}">${escapeHtml(when.toLocaleString(locale === 'zh-CN' ? locale : 'en-GB', { dateStyle: 'medium', timeStyle: 'medium' }))}</time>`
    : ''
  const path = `/outbox/${encodeURIComponent(name)}`
  return `<article aria-label="${escapeHtml(mail.subject ?? '')}">
<h2>${escapeHtml(mail.subject ?? '')}</h2>
<p class="facts"><span>${escapeHtml(t.to)} <b>${escapeHtml(to)}</b></span> ${time} <a href="${path}">${escapeHtml(t.download)}</a></p>
<details><summary>${escapeHtml(t.text)}</summary><pre>${escapeHtml(mail.text ?? '')}</pre></details>
<details${open}><summary>${escapeHtml(t.html)}</summary><iframe sandbox loading="lazy" title="${escapeHtml(t.html)}" src="${path}?as=html"></iframe></details>
</article>`
}

/** The tokens of the design language that this page needs; it has none of the console's style sheets. */
const style = `
${fonts.map((font) => fontFace(font, fontFolder)).join('\n')}
:root{color-scheme:light dark;--bg:#FAF9F7;--surface:#FFF;--sunken:#F4F2EE;--line:#E7E4DE;--text:#1C1A17;--quiet:#57534C;--accent:#0A6672}
@media (prefers-color-scheme:dark){:root{--bg:#121110;--surface:#191816;--sunken:#0D0C0B;--line:#2B2926;--text:#EFEDE8;--quiet:#B5B0A7;--accent:#72C4CB}}
body{margin:0;background:var(--bg);color:var(--text);font:14px/20px "Inter Variable","PingFang SC","HarmonyOS Sans SC","MiSans","Microsoft YaHei UI","Noto Sans SC","Source Han Sans SC",system-ui,sans-serif}
main{max-width:720px;margin:0 auto;padding:32px 16px 56px}
h1{margin:0;font-size:24px;line-height:32px;font-weight:600;letter-spacing:-0.02em}
h1:lang(zh){letter-spacing:0}
.lead:lang(zh){word-break:keep-all;overflow-wrap:anywhere}@supports(hanging-punctuation:first){.lead:lang(zh){word-break:normal}}
.lead,.empty,.facts{color:var(--quiet)}.lead{margin:4px 0 24px;text-wrap:pretty}
article{margin-bottom:16px;padding:16px 20px;border:1px solid var(--line);border-radius:10px;background:var(--surface)}
h2{margin:0 0 4px;font-size:15px;line-height:22px;font-weight:600}
.facts{display:flex;flex-wrap:wrap;gap:4px 16px;margin:0 0 8px;font-size:13px}.facts b{color:var(--text);font-weight:500;overflow-wrap:anywhere}
a,summary{color:var(--accent)}summary{min-height:28px;line-height:28px;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
pre{margin:4px 0 8px;padding:12px 16px;border-radius:8px;background:var(--sunken);font:12.5px/20px "JetBrains Mono Variable",Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
iframe{display:block;box-sizing:border-box;width:100%;height:560px;margin:4px 0 8px;border:1px solid var(--line);border-radius:8px}`
