import { BadStatement, requireThat } from './bad-statement.ts'
import { checkBook } from './check-book.ts'
import { checkDocuments } from './check-documents.ts'
import { checkExtends } from './check-extends.ts'
import { checkCharged, checkInvoice } from './check-invoice.ts'
import { type Statement, type StatementFile, statementFormat } from './statement.ts'
import type { StatementCrypto } from './statement-crypto.ts'

/** The result: sound, or the first fault. */
export type StatementVerdict =
  | { sound: true; statement: Statement; publicKey: string }
  | { sound: false; problem: string }

export interface Verification {
  crypto: StatementCrypto
  /** Text of the file. */
  text: string
  /** Of an older one, that this must extend. */
  older?: string | undefined
  /** The keys that sign statements, present and past, hex. One of them must have signed it, and the older one. */
  publicKeys: readonly string[]
}

/**
 * Checks a statement without any network: the signature, every hash of the chain, every sum, every line's price,
 * documents against postings in both directions, and that it continues an older statement.
 */
export function verifyStatement({ crypto, text, older, publicKeys }: Verification): StatementVerdict {
  try {
    const file = readFile(text, 'The statement')
    const key = checkSignature(crypto, file, 'The statement', publicKeys)
    checkSound(crypto, file.statement)
    if (older !== undefined) {
      const before = readFile(older, 'The older statement')
      checkSignature(crypto, before, 'The older statement', publicKeys)
      checkSound(crypto, before.statement)
      checkExtends(file.statement, before.statement)
    }
    return { sound: true, statement: file.statement, publicKey: key }
  } catch (error) {
    if (error instanceof BadStatement) return { sound: false, problem: error.message }
    // Text in the place of a list, or half a number: in any case not one of our statements.
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
      return { sound: false, problem: `It cannot be read as a statement: ${error.message}` }
    throw error
  }
}

function readFile(text: string, what: string): StatementFile {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BadStatement(`${what} is no JSON file, or not a whole one.`)
  }
  const file = value as Partial<StatementFile> | null // each part is checked before it is used
  requireThat(file?.statement?.format === statementFormat, () => `${what} is not of the form ${statementFormat}.`)
  requireThat(
    Object.keys(file ?? {})
      .sort()
      .join() === 'signature,statement',
    () => `${what} holds more or less than a statement and its signature.`,
  )
  requireThat(
    withoutSpace(text) === JSON.stringify(value),
    () => `${what} says something twice, or not as it was written: what a reader sees is not what was signed.`,
  )
  return file as StatementFile // the parts are there, and what is in them is checked below
}

/** JSON text without what may stand between its parts. */
function withoutSpace(text: string): string {
  return text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1')
}

function checkSignature(
  crypto: StatementCrypto,
  { statement, signature }: StatementFile,
  what: string,
  known: readonly string[],
): string {
  const { algorithm, publicKey, value, ...more } = signature
  requireThat(
    Object.keys(more).length === 0,
    () => `The signature of ${what.toLowerCase()} says more than a signature.`,
  )
  requireThat(algorithm === 'Ed25519', () => `${what} is not signed with Ed25519.`)
  requireThat(/^[0-9a-f]{64}$/.test(publicKey) && /^[0-9a-f]{128}$/.test(value), () => `${what} has no signature.`)
  requireThat(known.includes(publicKey), () => `${what} is signed with another key: ${publicKey}.`)
  requireThat(
    crypto.isSigned(JSON.stringify(statement), value, publicKey),
    () => `${what} is not what was signed: something in it was changed.`,
  )
  return publicKey
}

/** Checks that need no signature: a statement that we signed can be wrong too. */
function checkSound(crypto: Pick<StatementCrypto, 'sha256'>, statement: Statement): void {
  checkBook(crypto, statement)
  for (const invoice of statement.invoices) checkInvoice(invoice, statement.currency)
  checkCharged(statement)
  checkDocuments(statement)
}
