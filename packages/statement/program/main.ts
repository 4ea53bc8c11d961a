#!/usr/bin/env node
/**
 * `atoll-statement file.json [older.json] [--key <hex>]`: checks a statement without any network. It carries the public
 * keys that sign statements, written into it as it was served; `--key`, once or more, names others in their place. Exit
 * code 0 when it is sound, 1 when it is not, 2 when it could not be read or no key is known.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type StatementCrypto, verifyStatement } from '../src/index.ts'

declare global {
  /** Hex; written by the server in front of this program. */
  var statementKeys: readonly string[] | undefined
}

/** The bytes before the 32 bytes of an Ed25519 key in its DER form (RFC 8410). */
const derPrefix = '302a300506032b6570032100'

const crypto: StatementCrypto = {
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  isSigned(text, signature, publicKey) {
    const key = createPublicKey({ key: Buffer.from(derPrefix + publicKey, 'hex'), format: 'der', type: 'spki' })
    return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'hex'))
  },
}

function run(args: string[]): number {
  const options = { key: { type: 'string', multiple: true } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [path, olderPath] = positionals
  if (path === undefined || positionals.length > 2) {
    process.stderr.write('Usage: atoll-statement file.json [older.json] [--key <public key, hex>]\n')
    return 2
  }
  const publicKeys = values.key ?? globalThis.statementKeys ?? []
  if (publicKeys.length === 0) {
    process.stderr.write('This copy carries no key: take it from the address of the console, or name a key as --key.\n')
    return 2
  }
  const text = readFileSync(path, 'utf8')
  const older = olderPath === undefined ? undefined : readFileSync(olderPath, 'utf8')
  const verdict = verifyStatement({ crypto, text, older, publicKeys })
  if (!verdict.sound) {
    process.stdout.write(`NOT SOUND: ${verdict.problem}\n`)
    return 1
  }
  const { book, invoices, issuer, currency } = verdict.statement
  const entries = book.transactions.flatMap((transaction) => transaction.entries)
  const balance = entries.filter(({ account }) => account === 'cash').reduce((sum, { amount }) => sum + amount, 0)
  const known = values.key === undefined ? 'that this program carries' : 'that was named'
  process.stdout.write(
    [
      `Sound: ${book.seq} records in one chain, ${invoices.length} invoices, each line priced again.`,
      `Balance: ${(-balance / 100).toFixed(2)} ${currency.toUpperCase()}.`,
      ...(older === undefined ? [] : ['It goes on from the older statement.']),
      `Signed by ${issuer} with the key ${verdict.publicKey}, one ${known}.`,
      '',
    ].join('\n'),
  )
  return 0
}

try {
  process.exitCode = run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
