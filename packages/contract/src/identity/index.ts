export * from './identity.ts'
export * from './identity-calls.ts'
export * from './sign-request.ts'
