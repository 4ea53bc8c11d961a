export * from './announcements.ts'
