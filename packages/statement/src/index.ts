export type { Statement, StatementFile } from './statement.ts'
export type { StatementCrypto } from './statement-crypto.ts'
export { verifyStatement } from './verify-statement.ts'
