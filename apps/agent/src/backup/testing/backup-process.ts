/** An agent's backups as a process that a test can kill: runs one task to its end and prints its result. */
import { openAgent, password, sealFor } from './backup-harness.ts'

const { HOME_FOLDER = '', RESTIC = '', TASK = '{}' } = process.env
const agent = await openAgent(HOME_FOLDER, RESTIC)
const { kind, taskId, params } = JSON.parse(TASK)
const box = await sealFor(agent.backups.publicKey, password)
const result = await agent.run(kind, { ...params, box }, { taskId })
process.stdout.write(JSON.stringify(result))
