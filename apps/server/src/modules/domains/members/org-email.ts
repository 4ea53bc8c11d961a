/** Which emails the account of an organization may have (spec §5: Gmail or Google Workspace). */
import type { DomainDeps } from '../domain-deps.ts'

const gmail = new Set(['gmail.com', 'googlemail.com'])
/** Domains of the mail servers that Google's customers have to name. */
const googleServers = ['google.com', 'googlemail.com']

/** Undefined: it is unknown who takes mail for it. */
export async function isAtGoogle(
  dns: Pick<DomainDeps['dns'], 'findMailServers'>,
  email: string,
): Promise<boolean | undefined> {
  const host = hostOf(email)
  if (gmail.has(host)) return true
  const servers = await dns.findMailServers(host)
  return servers?.some((server) => googleServers.some((google) => server.endsWith(`.${google}`)))
}

/** Lower case, A-labels, as emails are stored. */
export function hostOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}
