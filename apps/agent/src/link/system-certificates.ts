import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/**
 * Makes every connection of this process trust the system's certificate store besides the authorities that Node
 * brings: an operator's own authority stands there. Nothing is read for `http:`, so that an instance beside its server
 * starts quickly.
 */
export function trustSystemCertificates(controlUrl: string): void {
  if (!controlUrl.startsWith('https:')) return
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])])
}
