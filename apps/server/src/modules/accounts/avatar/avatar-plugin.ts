import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import { sendRefusal } from '../../../http/request/answers.ts'
import type { Db } from '../../../platform/db/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findAvatarImage } from './avatar-store.ts'

/**
 * `GET /avatars/{hash}.webp`. The address names the bytes: everyone who has it may see and cache them, on any site
 * where they are shown. It is not guessable, and a picture that was removed is gone.
 */
export function avatarPlugin({ db }: { db: Db }): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    app.route<{ Params: { file: string } }>({
      ...defineEndpoint({
        method: 'GET',
        url: '/avatars/:file',
        openBecause: 'pictures are public, and the address is a hash of the picture',
      }),
      handler: async (request, reply) => {
        const [, hash] = /^([0-9a-f]{64})\.webp$/.exec(request.params.file) ?? []
        const image = hash && (await findAvatarImage(db, hash))
        if (!image) return sendRefusal(new Refusal('notFound', { object: 'picture' }), request, reply, 404)
        return reply
          .type('image/webp')
          .header('cache-control', 'public, max-age=31536000, immutable')
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('etag', `"${hash}"`)
          .send(image)
      },
    })
  }
}
