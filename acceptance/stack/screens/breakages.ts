/** Servers that answer everything but signing in as no server should. */
import { codes } from '@atoll/contract/wire'
import { sampleAnswers } from '../samples/sample-account.ts'
import { envelope, type ScriptedConsole, startScriptedConsole } from '../scripted-console.ts'

export interface Breakage {
  name: string
  status: number
  body: string
}

export const breakages: readonly Breakage[] = [
  { name: 'a server that fails', status: 500, body: '<html>' },
  { name: 'answers of another shape', status: 200, body: envelope(codes.ok, '', { unexpected: true }) },
  { name: 'refusals without a word', status: 200, body: envelope(codes.serverError) },
]

/** A server that is broken so; disposed of by the caller. */
export async function startBrokenConsole({ status, body }: Breakage): Promise<ScriptedConsole> {
  const server = await startScriptedConsole(sampleAnswers())
  server.breakdown = (path) =>
    path.includes('openCode') || path.includes('activeLogin') ? undefined : { status, body }
  return server
}

/** Whether a browser says no more in `complaint` than that an answer was not 200, which is what `breakage` is. */
export function isOf({ status }: Breakage, complaint: string): boolean {
  return status !== 200 && complaint.startsWith('Failed to load resource')
}
