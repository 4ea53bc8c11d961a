export * from './act-words.ts'
export * from './approvals.ts'
export * from './approved-actions.ts'
export * from './members.ts'
