export * from './audit.ts'
export * from './audit-calls.ts'
export * from './audit-labels.ts'
