export { checkQueue, type Heartbeat, listProcesses, queueHeartbeat, startHeartbeat } from './heartbeat.ts'
