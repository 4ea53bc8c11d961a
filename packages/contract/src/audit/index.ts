export * from './audit-calls.ts'
export * from './audit-labels.ts'
export * from './audit.ts'
