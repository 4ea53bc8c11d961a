/**
 * What the list call is measured against: a Fastify route that runs the very same SQL and answers the rows, without
 * sessions, validation, envelope, headers or log. Its own process: `node bare-list-server.ts <sql> <parameters as JSON>`.
 */
import { fastify } from 'fastify'
import { Pool } from 'pg'

const [sql = '', parameters = ''] = process.argv.slice(2)
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 20 })
const app = fastify()
app.post('/list', async () => (await pool.query(sql, JSON.parse(parameters) as unknown[])).rows)
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
