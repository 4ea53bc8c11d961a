/** `agents-app.ts` as a process of its own, so that a test can kill it. Prints its origin once it listens. */
import { startAgentsApp } from './agents-app.ts'

const { origin } = await startAgentsApp({
  databaseUrl: process.env['DATABASE_URL'] ?? '',
  port: Number(process.env['PORT'] ?? 0),
  ownerDid: process.env['OWNER_DID'] ?? '',
  publicUrl: process.env['PUBLIC_URL'] ?? '',
})
process.stdout.write(`${origin}\n`)
