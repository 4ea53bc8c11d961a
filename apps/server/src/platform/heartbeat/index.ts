export {
  checkQueue,
  type Heartbeat,
  listHeartbeats,
  listProcesses,
  queueHeartbeat,
  startHeartbeat,
} from './heartbeat.ts'
