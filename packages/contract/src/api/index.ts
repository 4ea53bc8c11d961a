export * from './errors.ts'
export * from './stream-calls.ts'
