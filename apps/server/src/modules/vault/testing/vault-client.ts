import { createHash } from 'node:crypto'

/** The requests that restic makes, without restic. Paths are those inside the repository, such as `locks/`. */
export interface VaultClient {
  ask(method: string, path: string, headers?: Record<string, string>): Promise<Response>
  post(path: string, body: Uint8Array<ArrayBuffer>): Promise<Response>
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export function vaultClient({ url, grantId, token }: { url: string; grantId: string; token: string }): VaultClient {
  const authorization = `Basic ${Buffer.from(`${grantId}:${token}`).toString('base64')}`
  return {
    ask: (method, path, headers = {}) => fetch(`${url}${path}`, { method, headers: { authorization, ...headers } }),
    post: (path, body) => fetch(`${url}${path}`, { method: 'POST', headers: { authorization }, body }),
  }
}
