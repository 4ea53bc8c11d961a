import { BadStatement, requireThat } from './bad-statement.ts'
import { checkBook } from './check-book.ts'
import { checkDocuments } from './check-documents.ts'
import { checkExtends } from './check-extends.ts'
import { checkCharged, checkInvoice } from './check-invoice.ts'
import { type Statement, type StatementFile, statementFormat } from './statement.ts'
import type { StatementCrypto } from './statement-crypto.ts'

/** What was found: it is sound, or the first thing that is not. */
export type StatementVerdict =
  | { sound: true; statement: Statement; publicKey: string }
  | { sound: false; problem: string }

export interface Verification {
  crypto: StatementCrypto
  /** Text of the file. */
  text: string
  /** Of an older one, that this must extend. */
  older?: string | undefined
  /** The key that must have signed it, hex; left out, the one that the file names. */
  publicKey?: string | undefined
}

/**
 * Checks a statement without any network: the signature, the chain hashed anew, every sum added anew, every line priced
 * anew, documents against postings and the other way round; and that it goes on from an older one.
 */
export function verifyStatement({ crypto, text, older, publicKey }: Verification): StatementVerdict {
  try {
    const file = readFile(text, 'The statement')
    const key = checkSignature(crypto, file, 'The statement', publicKey)
    checkSound(crypto, file.statement)
    if (older !== undefined) {
      const before = readFile(older, 'The older statement')
      checkSignature(crypto, before, 'The older statement', key)
      checkSound(crypto, before.statement)
      checkExtends(file.statement, before.statement)
    }
    return { sound: true, statement: file.statement, publicKey: key }
  } catch (error) {
    if (error instanceof BadStatement) return { sound: false, problem: error.message }
    // Text in the place of a list, or half a number: whatever it is, it is no statement of ours.
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
  return file as StatementFile // the parts are there, and what is in them is checked below
}

function checkSignature(
  crypto: StatementCrypto,
  { statement, signature }: StatementFile,
  what: string,
  wanted: string | undefined,
): string {
  const { algorithm, publicKey, value } = signature
  requireThat(algorithm === 'Ed25519', () => `${what} is not signed with Ed25519.`)
  requireThat(/^[0-9a-f]{64}$/.test(publicKey) && /^[0-9a-f]{128}$/.test(value), () => `${what} has no signature.`)
  requireThat(wanted === undefined || wanted === publicKey, () => `${what} is signed with another key: ${publicKey}.`)
  requireThat(
    crypto.isSigned(JSON.stringify(statement), value, publicKey),
    () => `${what} is not what was signed: something in it was changed.`,
  )
  return publicKey
}

/** What holds without the signature: a statement that we signed can be wrong too. */
function checkSound(crypto: Pick<StatementCrypto, 'sha256'>, statement: Statement): void {
  checkBook(crypto, statement)
  for (const invoice of statement.invoices) checkInvoice(invoice, statement.currency)
  checkCharged(statement.invoices)
  checkDocuments(statement)
}
