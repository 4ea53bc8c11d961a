/**
 * Queries that run with every request. Kysely builds and compiles a query each time it runs, and PostgreSQL plans it
 * each time: for a list of a few rows both take longer than the answer. A prepared query is compiled once in this
 * process and planned once on each connection.
 *
 * Name the columns in such a query: a statement whose `select *` changes under it fails on connections that prepared it.
 */
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { PoolClient } from 'pg'

/** Stands for the parameter while the query is compiled. */
const anyValue = '<parameter>'
const mark = /^\/\* prepared (\S+) \*\/ /

/**
 * A query of one text parameter. `name` is unique in the server; `build` is called once and may use the parameter only
 * as a value.
 */
export function prepareQuery<Tables, Row>(
  name: string,
  build: (db: Kysely<Tables>, parameter: string) => Compilable<Row>,
): (db: Kysely<Tables>, parameter: string) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, parameter) => {
    if (!compiled) {
      const query = build(db, anyValue).compile()
      // The text is all that reaches the driver, so the name travels in it.
      compiled = { ...query, sql: `/* prepared ${name} */ ${query.sql}` }
    }
    const parameters = compiled.parameters.map((value) => (value === anyValue ? parameter : value))
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
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
