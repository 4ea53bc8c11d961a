export * from './domain-limits.ts'
export * from './status.ts'
export * from './verdicts.ts'
