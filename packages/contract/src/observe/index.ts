export * from './alerts.ts'
export * from './metrics-token.ts'
