/** The files that make a host an instance: the script, the agent, and Node if the host has none. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { rates } from '@atoll/contract/wire'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import type { Log } from '../../../platform/log.ts'
import { agentArchive } from '../offered-agent.ts'
import { createEnrollFiles, type EnrollFiles } from './enroll-files.ts'
import { renderEnrollScript } from './enroll-script.ts'

export interface EnrollPluginDeps {
  config: { enrollUrl: string; dataDir: string; resticProgram?: string | undefined }
  log: Log
  /** Default: what the build made. */
  archive?: string | undefined
}

/** Names carry a hash of the content, so what was fetched once need not be asked for again. */
const immutable = 'public, max-age=31536000, immutable'

export function enrollPlugin({ config, log, archive = agentArchive }: EnrollPluginDeps): FastifyPluginAsync {
  return async (app) => {
    const { dataDir, resticProgram: restic } = config
    const files: EnrollFiles = createEnrollFiles({ archive, node: process.execPath, restic, dataDir })

    app.route({
      ...defineEndpoint({
        method: 'GET',
        url: '/enroll.sh',
        openBecause: 'the agent is no secret, and its token is in the command',
      }),
      handler: async (_, reply) => {
        const offer = await files.offer()
        if (!offer) {
          return await reply
            .code(503)
            .type('text/plain; charset=utf-8')
            .send('The agent is not built yet: npm run build\n')
        }
        reply.type('text/x-shellscript; charset=utf-8').header('cache-control', 'no-store')
        return renderEnrollScript({ origin: config.enrollUrl, ...offer })
      },
    })

    app.route<{ Params: { name: string } }>({
      ...defineEndpoint({
        method: 'GET',
        url: '/agent/:name',
        rate: rates.download,
        openBecause: 'the agent is no secret',
      }),
      handler: async (request, reply) => {
        const path = await files.find(request.params.name)
        if (path === undefined)
          return await reply.code(404).type('text/plain; charset=utf-8').send('Not offered here\n')
        log.debug({ name: request.params.name }, 'a host fetches what it needs to enroll')
        return await sendFile(reply, path)
      },
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
