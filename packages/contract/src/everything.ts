/**
 * The whole contract under one name, for tools and tests that walk all of it; everybody else imports the folder it is
 * in.
 */
export * from './accounts/index.ts'
export * from './agents/index.ts'
export * from './announcements/index.ts'
export * from './api/index.ts'
export * from './audit/index.ts'
export * from './backups/index.ts'
export * from './billing/index.ts'
export * from './clusters/index.ts'
export * from './credentials/index.ts'
export * from './domains/index.ts'
export * from './identity/index.ts'
export * from './observe/index.ts'
export * from './payments/index.ts'
export * from './rollouts/index.ts'
export * from './staff/index.ts'
export * from './wire/index.ts'
