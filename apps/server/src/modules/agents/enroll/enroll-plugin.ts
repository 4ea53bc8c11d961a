/** What a host needs to become an instance: the script, the agent, and Node where it has none. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Log } from '../../../platform/log.ts'
import { createEnrollFiles, type EnrollFiles } from './enroll-files.ts'
import { renderEnrollScript } from './enroll-script.ts'

/** `npm run build` leaves it there. */
const agentArchive = fileURLToPath(new URL('../../../../../agent/dist/agent.tar.gz', import.meta.url))

export interface EnrollPluginDeps {
  config: { enrollUrl: string; dataDir: string; resticProgram?: string | undefined }
  log: Log
}

/** Names carry a hash of the content, so what was fetched once need not be asked for again. */
const immutable = 'public, max-age=31536000, immutable'

export function enrollPlugin({ config, log }: EnrollPluginDeps): FastifyPluginAsync {
  return async (app) => {
    const { dataDir, resticProgram: restic } = config
    const files: EnrollFiles = createEnrollFiles({ archive: agentArchive, node: process.execPath, restic, dataDir })

    app.get('/enroll.sh', async (_, reply) => {
      const offer = await files.offer()
      if (!offer) {
        return await reply
          .code(503)
          .type('text/plain; charset=utf-8')
          .send('The agent is not built yet: npm run build\n')
      }
      reply.type('text/x-shellscript; charset=utf-8').header('cache-control', 'no-store')
      return renderEnrollScript({ origin: config.enrollUrl, ...offer })
    })

    app.get<{ Params: { name: string } }>('/agent/:name', async (request, reply) => {
      const path = await files.find(request.params.name)
      if (path === undefined) return await reply.code(404).type('text/plain; charset=utf-8').send('Not offered here\n')
      log.debug({ name: request.params.name }, 'a host fetches what it needs to enroll')
      return await sendFile(reply, path)
    })
  }
}

async function sendFile(reply: FastifyReply, path: string): Promise<FastifyReply> {
  const { size } = await stat(path)
  return reply
    .type('application/gzip')
    .header('content-length', size)
    .header('cache-control', immutable)
    .send(createReadStream(path))
}
