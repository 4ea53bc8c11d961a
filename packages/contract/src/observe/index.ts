export * from './metrics-token.ts'
