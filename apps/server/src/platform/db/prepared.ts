/**
 * Queries that run with every request. Kysely builds and compiles a query each time it runs, and PostgreSQL plans it
 * each time: for a list of a few rows both take longer than the answer. A prepared query is compiled once in this
 * process and planned once on each connection.
 *
 * Name the columns in such a query: a statement whose `select *` changes under it fails on connections that prepared it.
 */
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { escapeLiteral, type PoolClient } from 'pg'

/** Stands for the parameter while the query is compiled. */
const anyValue = '<parameter>'
const mark = /^\/\* prepared (\S+) \*\/ /

/**
 * A query of one text parameter. `name` is unique in the server; `build` is called once and may use the parameter only
 * as a value. Its other values are constants: texts, numbers, true and false.
 */
export function prepareQuery<Tables, Row>(
  name: string,
  build: (db: Kysely<Tables>, parameter: string) => Compilable<Row>,
): (db: Kysely<Tables>, parameter: string) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, parameter) => {
    if (!compiled) {
      const query = withConstants(build(db, anyValue).compile(), anyValue)
      // The text is all that reaches the driver, so the name travels in it.
      compiled = { ...query, sql: `/* prepared ${name} */ ${query.sql}` }
    }
    const parameters = compiled.parameters.map(() => parameter)
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}

/**
 * `query` with `variable` as its only parameter and all other values in its text. A plan that serves every value of a
 * parameter cannot use a partial index that one value chooses (`where status <> $2`): for a list of 50 clusters such a
 * plan took the database 3 ms instead of 0.9.
 */
export function withConstants<Row>(query: CompiledQuery<Row>, variable: string): CompiledQuery<Row> {
  const sql = query.sql.replace(/\$(\d+)/g, (_, number: string) => {
    const value = query.parameters[Number(number) - 1]
    if (value === variable) return '$1'
    if (typeof value === 'string') return escapeLiteral(value)
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    throw new Error(`A prepared query holds ${String(value)}, which is no constant`)
  })
  return { ...query, sql, parameters: query.parameters.includes(variable) ? [variable] : [] }
}

/** Makes a new connection prepare queries that carry a mark; all others pass as they are. */
export function acceptPrepared(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const accepting = (text: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? mark.exec(text)?.[1] : undefined
    return name === undefined ? query(text, ...rest) : query({ name, text }, ...rest)
  }
  // The same function for every overload: only a text becomes a config with that text.
  client.query = accepting as typeof client.query
}
