export * from './backup-calls.ts'
export * from './backups.ts'
