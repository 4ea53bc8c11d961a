import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { selfSigned } from '../../certificates/testing/self-signed.ts'
import { createListener } from './vault-tls.ts'

test('answers with the certificate of its files, with the new one once that is whole, and never with half of one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-vault-tls-'))
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const [first, second] = [await selfSigned('first.example'), await selfSigned('second.example')]
  writeFileSync(files.certificate, first.chain)
  writeFileSync(files.key, first.key)
  const { server, reload } = createListener({}, files)
  server.on('request', (_, res) => res.end('here'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP listener's address is always this
  async function nameSeen(): Promise<string | undefined> {
    // Of itself: no authority knows it.
    const request = https.get({ host: '127.0.0.1', port, agent: false, rejectUnauthorized: false })
    const [response] = await once(request, 'response')
    const { raw } = (response.socket as TLSSocket).getPeerCertificate()
    response.resume()
    await once(response, 'close')
    return new X509Certificate(raw).subjectAltName
  }
  try {
    expect(await nameSeen()).toBe('DNS:first.example')
    writeFileSync(files.certificate, second.chain)
    await expect(reload()).rejects.toThrow()
    expect(await nameSeen()).toBe('DNS:first.example')
    writeFileSync(files.key, second.key)
    await reload()
    expect(await nameSeen()).toBe('DNS:second.example')
    rmSync(files.key)
    await expect(reload()).rejects.toThrow()
    expect(await nameSeen()).toBe('DNS:second.example')
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('does not begin without its files', () => {
  expect(() => createListener({}, { certificate: '/nowhere', key: '/nowhere' })).toThrow('ENOENT')
})
