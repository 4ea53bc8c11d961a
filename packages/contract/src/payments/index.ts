export * from './reasons.ts'
