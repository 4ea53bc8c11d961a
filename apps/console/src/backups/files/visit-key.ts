import { LookPage, type LookQuery } from '@atoll/contract/backups'

/** Of one visit of a page: the machine encrypts names of files for it, and it is gone with the page. */
export interface VisitKey {
  publicKey: LookQuery['key']
  /** Throws on what was encrypted for another key, and on what is no page. */
  open: (box: string) => Promise<LookPage>
}

/** A page is small; one that unpacks to more than this is none. Bytes. */
const mostUnpacked = 4 * 1024 ** 2

/** The private half cannot be taken out of the browser. */
export async function makeVisitKey(): Promise<VisitKey> {
  const { compactDecrypt, exportJWK, generateKeyPair } = await import('jose')
  const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: false })
  const { x = '', y = '' } = await exportJWK(publicKey)
  const algorithms = { keyManagementAlgorithms: ['ECDH-ES'], contentEncryptionAlgorithms: ['A256GCM'] }
  return {
    publicKey: { kty: 'EC', crv: 'P-256', x, y },
    async open(box) {
      const { plaintext } = await compactDecrypt(box, privateKey, algorithms)
      return LookPage.parse(JSON.parse(await unpack(plaintext)))
    },
  }
}

async function unpack(packed: Uint8Array): Promise<string> {
  // A copy of its own buffer, as `Blob` wants it.
  const stream = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream('gzip'))
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [text, bytes] = ['', 0]
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > mostUnpacked) throw new Error('the page of files is too large')
    text += decoder.decode(value, { stream: true })
  }
}
