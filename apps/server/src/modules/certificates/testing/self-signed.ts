import { generateKeyPairSync } from 'node:crypto'
import * as acme from 'acme-client'

/** A certificate for `host` that nobody signed but its own key. */
export async function selfSigned(host: string): Promise<{ key: string; chain: string }> {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const authorization = { identifier: { type: 'dns', value: host } } as acme.Authorization // all that is read of it
  const [, chain] = await acme.crypto.createAlpnCertificate(authorization, 'test', privateKey)
  return { key: privateKey, chain: String(chain) }
}
