/**
 * What the list call is measured against: a Fastify route that runs the very same SQL and answers the rows, without
 * sessions, validation, envelope, headers or log. Its own process: `node bare-list-server.ts <sql> <parameters as JSON>`.
 * `/list` is how such a route is usually written; `/prepared` has PostgreSQL plan the query once, as ours does.
 */
import { fastify } from 'fastify'
import { Pool } from 'pg'

const [sql = '', parameters = ''] = process.argv.slice(2)
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 20 })
const app = fastify()
const values = JSON.parse(parameters) as unknown[]
app.post('/list', async () => (await pool.query(sql, values)).rows)
app.post('/prepared', async () => (await pool.query({ name: 'list', text: sql, values })).rows)
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
