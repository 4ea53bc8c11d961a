/**
 * `cookies` (values of Set-Cookie), with `Domain` left only where it names `clusterHost` or a host below it. With a
 * wider one a browser would send the cookie to every other cluster of the base domain, and believe it there (RFC 6265,
 * 8.6).
 */
export function confineCookies(cookies: readonly string[], clusterHost: string): string[] {
  return cookies.map((cookie) => {
    const [pair = '', ...attributes] = cookie.split(';')
    return [pair, ...attributes.filter((attribute) => !reachesOut(attribute, clusterHost))].join(';')
  })
}

function reachesOut(attribute: string, clusterHost: string): boolean {
  const [name = '', ...value] = attribute.split('=')
  if (name.trim().toLowerCase() !== 'domain') return false
  const domain = value.join('=').trim().toLowerCase().replace(/^\./, '')
  return domain !== clusterHost && !domain.endsWith(`.${clusterHost}`)
}

/**
 * `types` (the value of Clear-Site-Data) without cookies: a browser forgets those of the whole registrable domain
 * (Clear Site Data, 3.1), which may be every other cluster's too. `"*"` becomes what belongs to one origin. Undefined:
 * nothing is left.
 */
export function confineClearing(types: string): string | undefined {
  const kept = types.split(',').flatMap((part) => {
    const type = part.trim()
    const name = type.replaceAll('"', '').trim().toLowerCase()
    if (name === '*') return ['"cache"', '"storage"']
    return name === 'cookies' || name === '' ? [] : [type]
  })
  return kept.length > 0 ? kept.join(', ') : undefined
}
