export * from './profile.ts'
export * from './sessions.ts'
export * from './sign-in.ts'
export * from './users.ts'
