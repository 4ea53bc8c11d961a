export * from './identity.ts'
export * from './identity-calls.ts'
export * from './runtime-config.ts'
export * from './sign-request.ts'
