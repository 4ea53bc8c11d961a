/** Reads a header `authorization` of RFC 7617: grant and token; undefined where there are none. */
export function readBasicAuth(header: string | undefined): { grantId: string; token: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]{4,400}={0,2})$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const [, grantId, token] = /^(vg_[a-z2-7]{20}):([\w-]{43})$/.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return grantId !== undefined && token !== undefined ? { grantId, token } : undefined
}
