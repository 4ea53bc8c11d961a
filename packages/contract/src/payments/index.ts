export * from './payment-methods.ts'
export * from './reasons.ts'
