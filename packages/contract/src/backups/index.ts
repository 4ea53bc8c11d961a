export * from './backup-calls.ts'
export * from './backups.ts'
export * from './client-calls.ts'
export * from './ids.ts'
