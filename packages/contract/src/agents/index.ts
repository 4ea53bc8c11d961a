export * from './agent.ts'
export * from './agent-tasks.ts'
export * from './backup-failures.ts'
export * from './backup-tasks.ts'
