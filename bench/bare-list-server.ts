/**
 * The reference of the list call: a Fastify route that finds the session by the same query as the server, runs the very
 * same SQL and answers the rows, without validation, envelope, refusals, headers or log. Its own process: `node
 * bare-list-server.ts <queries as JSON>`.
 */
import { fastify } from 'fastify'
import { Pool, type QueryConfig } from 'pg'

// As list-calls.ts writes it.
const { session, list } = JSON.parse(process.argv[2] ?? '') as { session: QueryConfig; list: QueryConfig }
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 20 })
const app = fastify()
app.post('/list', async (_request, reply) => {
  const { rowCount } = await pool.query(session)
  return rowCount === 1 ? (await pool.query(list)).rows : await reply.code(401).send()
})
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
