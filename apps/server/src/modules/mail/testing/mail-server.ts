/**
 * A mail server of its own for tests: real SMTP with STARTTLS and passwords, and refusals by the address. Its
 * certificate is for names of this machine only and its key is public: it protects nothing.
 */
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface TestMailServer extends AsyncDisposable {
  port: number
  /** The mails that it accepted, oldest first. */
  mails: { to: string[]; from: string; secure: boolean; source: string; parsed: Email }[]
}

export const mailUser = { name: 'atoll', password: 'p@ss/word' }

/** Mail to `refused@…` is refused for good, to `busy@…` for now. `port` 0: any that is free. */
export async function startMailServer({ port = 0 }: { port?: number } = {}): Promise<TestMailServer> {
  const mails: TestMailServer['mails'] = []
  const server = new SMTPServer({
    key: testKey,
    cert: testCertificate,
    authOptional: true,
    onAuth({ username, password }, _, done) {
      const isRight = username === mailUser.name && password === mailUser.password
      done(isRight ? null : new Error('wrong password'), isRight ? { user: username } : undefined)
    },
    onRcptTo({ address }, _, done) {
      if (address.startsWith('refused@')) return done(smtpError(550, 'no such mailbox'))
      if (address.startsWith('busy@')) return done(smtpError(451, 'try again later'))
      done()
    },
    onData(stream, { envelope, secure }, done) {
      buffer(stream)
        .then(async (bytes) => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : ''
          const to = envelope.rcptTo.map((one) => one.address)
          mails.push({ to, from, secure, source: bytes.toString('latin1'), parsed: await PostalMime.parse(bytes) })
        })
        .then(() => done(), done)
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '::', () => resolve())
  })
  // A client that hangs up on a certificate it does not trust is part of the tests.
  server.on('error', () => undefined)
  return {
    port: (server.server.address() as AddressInfo).port, // a TCP listener has one
    mails,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function smtpError(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}

const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgamVwypdfOT6yKdQR
/lNvYg5hUmf7Jo/mI7MBEQLbbyuhRANCAARSl/SgMyCHeTv3h7wrjtbWfhNkGaa0
Ty+2KrEPjeFhgzapuF4R4Ztp53krC3vO4xBRCqMaUIOcWOjomzmoBtWK
-----END PRIVATE KEY-----
`

/** For localhost, mail.atoll.test, 127.0.0.1 and its IPv6 form; valid for a hundred years. */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBzTCCAXKgAwIBAgIUQiAYwaRli/zPnobhy0/8sEC8oUkwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPbWFpbC5hdG9sbC50ZXN0MCAXDTI2MTEyMTEzNDAwOVoYDzIx
MjYxMDI4MTM0MDA5WjAaMRgwFgYDVQQDDA9tYWlsLmF0b2xsLnRlc3QwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARSl/SgMyCHeTv3h7wrjtbWfhNkGaa0Ty+2KrEP
jeFhgzapuF4R4Ztp53krC3vO4xBRCqMaUIOcWOjomzmoBtWKo4GTMIGQMB0GA1Ud
DgQWBBT+dvoi+h2xTw94Aeaibsuz+y08bTAfBgNVHSMEGDAWgBT+dvoi+h2xTw94
Aeaibsuz+y08bTAPBgNVHRMBAf8EBTADAQH/MD0GA1UdEQQ2MDSCCWxvY2FsaG9z
dIIPbWFpbC5hdG9sbC50ZXN0hwR/AAABhxAAAAAAAAAAAAAA//9/AAABMAoGCCqG
SM49BAMCA0kAMEYCIQCg2JV2n6WLK05tJmd6CDa/RTwJyUD8NYLXem7gDD5D6gIh
AOXrPsPTv0uuYevKuhietEIgtBR0EhheA4mqI7Kiqwlv
-----END CERTIFICATE-----
`
