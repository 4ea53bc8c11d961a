/** The part of an address that people read: host and port. */
export function addressHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
