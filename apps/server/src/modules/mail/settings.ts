/** Settings of the mail server. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { Hostname, Path, secret, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const mailSettings = {
  ATOLL_SMTP_URL: secret(
    z
      .url({
        protocol: /^smtps?$/,
        error: 'must look like smtp://user:password@host:587 or smtps://user:password@host:465',
      })
      .optional(),
    'Mail server. smtp:// requires STARTTLS unless the server is this machine; smtps:// is encrypted from the start.',
    'none, mails are kept as files in the folder outbox of the data folder; /outbox shows them where the server runs embedded on one machine',
  ),
  ATOLL_SMTP_CA_FILE: setting(
    Path.optional(),
    undefined,
    'Certificate of an authority to trust for the mail server besides the well-known ones, PEM.',
    'none',
  ),
  ATOLL_MAIL_DKIM_SELECTOR: setting(
    Hostname.optional(),
    undefined,
    "Selector with which the mail server signs (DKIM); looked up by the operator's checks.",
    'none, DKIM is not looked at',
  ),
  ATOLL_MAIL_FROM: setting(
    z.email('must be an address such as no-reply@atoll.example').optional(),
    undefined,
    'Sender address of mails.',
    'no-reply at the host of ATOLL_PUBLIC_URL',
  ),
}

export function mailConfig(
  values: ValuesOf<typeof mailSettings>,
  { root, product, publicUrl }: { root: string; product: string; publicUrl: string },
) {
  const address = values.ATOLL_MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`
  return {
    /** Undefined: mails are kept in the data folder. */
    smtpUrl: values.ATOLL_SMTP_URL,
    /** Absolute. */
    smtpCaFile: values.ATOLL_SMTP_CA_FILE && resolve(root, values.ATOLL_SMTP_CA_FILE),
    mailSelector: values.ATOLL_MAIL_DKIM_SELECTOR,
    /** A header's text: `"Atoll" <no-reply@atoll.example>`, without what a quoted name cannot hold. */
    mailFrom: `"${product.replace(/[\p{Cc}"\\]/gu, '')}" <${address}>`,
  }
}
