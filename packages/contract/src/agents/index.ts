export * from './agent.ts'
export * from './agent-tasks.ts'
