/**
 * `npm run dns-lab`: a world's DNS in small and a certification authority, beside a server that is started with the
 * settings it prints, and a page to edit the parent zone's records: so a person can walk every step of a custom domain
 * on one machine. Ends with Ctrl+C and leaves nothing behind.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DnsLab, startDnsLab, startPebble, whyNoDnsLab } from '@atoll/testkit'
import { z } from 'zod'
import { ensureDnsPrograms } from './programs/dns-programs.ts'

const parent = 'lagoon.example'
const nameServers = ['ns1.host.example', 'ns2.host.example']
const longestForm = 64 * 1024
/** No `$INCLUDE`: the page edits records, and reads no files. */
const Records = z
  .string()
  .max(16_384)
  .transform((text) => text.split(/\r?\n/).map((line) => line.trimEnd()))
  .refine((lines) => lines.every((line) => !line.startsWith('$')), 'A line cannot begin with $.')
const Port = z.coerce.number().int().min(1).max(65_535)
const Options = z.object({ page: Port, dns: Port, edge: Port, tls: Port })

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

function drawPage({ records, said, settings }: { records: string; said: string; settings: string }): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>DNS lab</title><style>
:root { color-scheme: light dark } body { font: 16px/1.5 system-ui; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
textarea { width: 100%; box-sizing: border-box; font: 14px/1.5 monospace } pre { overflow: auto; padding: 1rem; background: #8882 }
</style><h1>DNS lab</h1>
<p>Add a domain such as <code>cloud.${parent}</code> in the console and put the records that it shows here. They are
relative to <code>${parent}</code>, as <code>cloud TXT "…"</code> or <code>cloud NS ns1.host.example.</code></p>
<form method="post"><p><label for="records">Records of ${parent}</label>
<textarea id="records" name="records" rows="14" spellcheck="false">${escapeHtml(records)}</textarea></p>
<p><button>Serve these records</button> <output>${escapeHtml(said)}</output></p></form>
<h2>Settings of the server</h2><pre>${escapeHtml(settings)}</pre></html>`
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > longestForm) throw new Error('That is too much.')
  }
  return new URLSearchParams(text)
}

/** Serves `text` and returns what the page then says. */
async function serveRecords(lab: DnsLab, text: string): Promise<string> {
  const records = Records.safeParse(text)
  if (!records.success) return records.error.issues[0]?.message ?? 'These are no records.'
  try {
    await lab.setZone(parent, records.data)
    return 'They are served.'
  } catch (error) {
    return `They cannot be served; what was served before still is. ${String(error).slice(0, 1000)}`
  }
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { page: text, dns: text, edge: text, tls: text } })
  const given = Options.safeParse({ page: '4890', dns: '5300', edge: '4802', tls: '4843', ...values })
  if (!given.success) throw new Error(`--${given.error.issues[0]?.path.join('.')} must be a port`)
  const { page, dns, edge, tls } = given.data
  const missing = (await ensureDnsPrograms()) ?? whyNoDnsLab()
  if (missing !== undefined) throw new Error(`The lab cannot be started: ${missing}`)

  await using lab = await startDnsLab(['example', parent, 'host.example'])
  await using pebble = await startPebble({ dnsServer: `127.0.0.1:${dns}`, httpPort: edge })
  await using own = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'atoll-dns-lab-'))
  own.defer(() => rmSync(folder, { recursive: true, force: true }))
  const root = join(folder, 'root.pem')
  writeFileSync(root, await pebble.root())
  const settings = [
    `ATOLL_RESOLVERS=${lab.resolvers.map(({ name, address }) => `${name}=${address}`).join(',')}`,
    `ATOLL_NAME_SERVERS=${nameServers.map((host) => `${host}=127.0.0.1@${dns}`).join(',')}`,
    `ATOLL_DNS_PORT=${dns}`,
    'ATOLL_EDGE_ADDRESSES=127.0.0.1',
    `ATOLL_EDGE_TLS_PORT=${tls}`,
    `ATOLL_ACME_DIRECTORY=${pebble.directory}`,
    `ATOLL_ACME_CA_FILE=${pebble.caFile}`,
  ]

  let records = ''
  const server = createServer(async (request, response) => {
    let said = ''
    if (request.method === 'POST') {
      try {
        records = (await readForm(request)).get('records') ?? ''
        said = await serveRecords(lab, records)
      } catch (error) {
        said = String(error)
      }
    }
    const isServed = said === '' || said === 'They are served.'
    response.writeHead(isServed ? 200 : 400, { 'content-type': 'text/html; charset=utf-8' })
    response.end(drawPage({ records, said, settings: settings.join('\n') }))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(page, '127.0.0.1', resolve))
  process.stdout.write(
    `Records of ${parent}: http://127.0.0.1:${page}\n\nStart the server beside it with\n\n${settings.join(' \\\n')} \\\nnpm start\n\n` +
      `Then see a cluster at its name, such as\n\ncurl --cacert ${root} --resolve lena.cloud.${parent}:${tls}:127.0.0.1 ` +
      `https://lena.cloud.${parent}:${tls}/\n\nCtrl+C ends the lab.\n`,
  )
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  server.closeAllConnections()
  server.close()
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
