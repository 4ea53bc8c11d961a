/**
 * TLS of the vault's own port. Renewing the certificate replaces its files: they are read again every hour, and if they
 * cannot be used, those in use stay.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Log } from '../../../platform/log.ts'
import { startTicker, type Ticker } from '../../../platform/ticker.ts'

/** Paths of PEM files. */
export interface TlsFiles {
  certificate: string
  key: string
}

const hourMs = 3600_000

export interface VaultListener {
  server: http.Server
  /** Reads the files again; nothing without TLS. */
  reload(): Promise<void>
  watch(log: Log): Ticker
}

/** `files` undefined: plain HTTP. Throws when they cannot be read or used. */
export function createListener(options: http.ServerOptions, files: TlsFiles | undefined): VaultListener {
  if (!files) {
    const server = http.createServer(options)
    return { server, reload: async () => undefined, watch: () => ({ stop: async () => undefined }) }
  }
  const { certificate, key: keyFile } = files
  const pair = { cert: readFileSync(certificate), key: readFileSync(keyFile) }
  const server = https.createServer({ ...options, ...pair, minVersion: 'TLSv1.2' })
  async function reload(): Promise<void> {
    const [cert, key] = await Promise.all([readFile(certificate), readFile(keyFile)])
    // Two files that do not belong together throw here, before anything is exchanged.
    createSecureContext({ cert, key })
    server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' })
  }
  return { server, reload, watch: (log) => startTicker(hourMs, log, "reading the vault's certificate again", reload) }
}
