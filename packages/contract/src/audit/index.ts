export * from './audit.ts'
export * from './audit-actions.ts'
export * from './audit-calls.ts'
