import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Serial number and authority key of the example in RFC 9773, 4.1. */
const example = { serial: '0x87654321', authorityKey: '69:88:5B:6B:87:46:40:41:E1:B3:7B:84:7B:A0:AE:2C:DE:01:C8:D4' }

/** The chain (PEM) of a certificate that openssl issues; `authorityKey` undefined: it names none. */
export function issueByAuthority({
  serial,
  authorityKey,
}: {
  serial: string
  authorityKey?: string
} = example): string {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-issued-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-config', at('ca.cnf')]
  try {
    const own = ['basicConstraints=critical,CA:TRUE', `subjectKeyIdentifier=${authorityKey ?? 'none'}`]
    writeFileSync(at('ca.cnf'), ['[req]', 'distinguished_name=dn', '[dn]', '[own]', ...own, ''].join('\n'))
    const root = ['-extensions', 'own', '-subj', '/CN=authority', '-days', '2']
    openssl('req', '-x509', ...made, ...root, '-keyout', at('ca.key'), '-out', at('ca.pem'))
    openssl('req', ...made, '-subj', '/CN=a.example', '-keyout', at('leaf.key'), '-out', at('leaf.csr'))
    const named = authorityKey === undefined ? [] : ['authorityKeyIdentifier=keyid:always']
    writeFileSync(at('leaf.cnf'), ['subjectAltName=DNS:a.example', ...named, ''].join('\n'))
    const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-set_serial', serial, '-days', '1']
    openssl('x509', '-req', '-in', at('leaf.csr'), ...signed, '-extfile', at('leaf.cnf'), '-out', at('leaf.pem'))
    return readFileSync(at('leaf.pem'), 'utf8') + readFileSync(at('ca.pem'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
