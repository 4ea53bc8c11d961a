export * from './agent.ts'
