export * from './coupons.ts'
export * from './estimates.ts'
