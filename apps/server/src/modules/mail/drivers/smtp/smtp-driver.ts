/**
 * Hands mails to an SMTP server: encrypted from the first byte (`smtps:`) or by STARTTLS, which is then insisted on.
 */
import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { composedOf, type MailDriver, MailRefused } from '../mail-driver.ts'

/** ms. A server that says nothing for this long is taken for away; the mail waits and is tried again. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…:465`; user and password percent-encoded. */
  url: string
  from: string
  /** PEM of an authority to trust besides the well-known ones. */
  ca: string | undefined
}

/** `verify` signs in and sends nothing. */
export function createSmtpDriver({ url, from, ca }: SmtpOptions): MailDriver & { verify(): Promise<void> } {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const isLocal = isThisMachine(hostname)
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    // A password or a code must not cross a network in the clear. A relay on this machine may have no certificate, or
    // one that it made itself: nobody stands between.
    requireTLS: !secure && !isLocal,
    tls: { ...(ca !== undefined && { ca }), rejectUnauthorized: !isLocal || ca !== undefined },
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...patience,
    // A template is ours, but nothing in it may ever read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver(mail) {
      try {
        await transport.sendMail(composedOf(mail, from))
      } catch (error) {
        if (isFinal(error)) throw new MailRefused(error.message, { cause: error })
        throw error
      }
    },
    async verify() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}

function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/**
 * A 5xx to this sender, recipient or message (RFC 5321 §4.2.1). One to our password is the operator's to mend: later.
 */
function isFinal(error: unknown): error is Error {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false
  return Number(error.responseCode) >= 500 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')
}
