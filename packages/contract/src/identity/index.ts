export * from './identity-calls.ts'
export * from './identity.ts'
export * from './sign-request.ts'
