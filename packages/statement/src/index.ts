export { type Statement, type StatementFile, statementFormat } from './statement.ts'
export type { StatementCrypto } from './statement-crypto.ts'
export { type StatementVerdict, verifyStatement } from './verify-statement.ts'
