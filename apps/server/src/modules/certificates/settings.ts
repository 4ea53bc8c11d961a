/** Settings of HTTPS for hosts of customers' domains. */
import { z } from 'zod'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import {
  Count,
  Hostname,
  HttpUrl,
  Path,
  Port,
  secret,
  setting,
  type ValuesOf,
} from '../../platform/settings/setting.ts'

const Eab = z.string().transform((text, ctx) => {
  const [kid = '', key = '', ...rest] = text.split(':')
  if (kid !== '' && /^[A-Za-z0-9_-]{16,}={0,2}$/.test(key) && rest.length === 0) return { kid, key }
  ctx.addIssue({
    code: 'custom',
    message: 'must be the key id and the key in base64url that the authority gave, KID:KEY',
  })
  return z.NEVER
})

export const certificatesSettings = {
  ATOLL_EDGE_TLS_PORT: setting(
    Port.optional(),
    undefined,
    "Port on which the edge serves HTTPS for customers' domains; browsers ask port 443.",
    'none; the edge serves HTTP, and a proxy in front of it ends TLS',
  ),
  ATOLL_ACME_DIRECTORY: setting(
    HttpUrl.optional(),
    undefined,
    'Directory of the certification authority (ACME), such as https://acme-v02.api.letsencrypt.org/directory. Setting it agrees to its terms.',
    'none; no certificates are ordered',
  ),
  ATOLL_ACME_EMAIL: setting(
    z.email().optional(),
    undefined,
    'Email that the certification authority may write to.',
    'none',
  ),
  ATOLL_ACME_CA_FILE: setting(
    Path.optional(),
    undefined,
    'PEM file with the root certificate of the directory, for an authority of your own.',
    'the roots that come with Node',
  ),
  ATOLL_ACME_EAB: secret(
    Eab.optional(),
    'External account binding, KID:KEY as the certification authority gave it.',
    'none',
  ),
  ATOLL_ACME_ACCOUNT_SHARE: setting(
    Count(1, 50),
    '10',
    'New certificates an account may get in a week, of the 50 that authorities issue under one registered domain.',
  ),
  ATOLL_ACME_ISSUER: setting(
    Hostname.optional(),
    undefined,
    'Name by which CAA records allow the certification authority; our zones allow it alone.',
    "letsencrypt.org with a directory of Let's Encrypt, else CAA is neither served nor checked",
  ),
}

export function certificatesConfig(values: ValuesOf<typeof certificatesSettings>) {
  const { ATOLL_ACME_DIRECTORY: directory, ATOLL_EDGE_TLS_PORT: edgeTlsPort } = values
  if (edgeTlsPort !== undefined && directory === undefined)
    throw new ConfigError('ATOLL_EDGE_TLS_PORT: HTTPS needs certificates; set ATOLL_ACME_DIRECTORY as well')
  const isLetsEncrypt = directory !== undefined && new URL(directory).hostname.endsWith('.letsencrypt.org')
  return {
    /** Undefined: the edge speaks HTTP alone. */
    edgeTlsPort,
    /** Undefined: no certificates are got. */
    acme:
      directory === undefined
        ? undefined
        : {
            directory,
            email: values.ATOLL_ACME_EMAIL,
            caFile: values.ATOLL_ACME_CA_FILE,
            eab: values.ATOLL_ACME_EAB,
          },
    acmeShare: values.ATOLL_ACME_ACCOUNT_SHARE,
    /** As CAA names the authority; undefined: not answered, not checked. */
    caaIssuer: values.ATOLL_ACME_ISSUER ?? (isLetsEncrypt ? 'letsencrypt.org' : undefined),
  }
}
