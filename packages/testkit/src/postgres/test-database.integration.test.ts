import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from './test-database.ts'

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe('a test database', () => {
  test('has the schema of a deployment and is nobody else’s', async () => {
    await using first = await createTestDatabase()
    await using second = await createTestDatabase()
    const migrations = await query(first.url, 'select name from schema_migrations order by name')
    expect(migrations.length).toBeGreaterThan(0)
    await query(first.url, 'create table only_here ()')
    await expect(query(second.url, 'select from only_here')).rejects.toThrow(/does not exist/)
  })

  test('can be had without any table', async () => {
    await using database = await createTestDatabase({ empty: true })
    expect(await query(database.url, "select * from pg_tables where schemaname = 'public'")).toEqual([])
  })

  test('can be dropped while connections are open', async () => {
    const database = await createTestDatabase()
    const client = new Client({ connectionString: database.url })
    await client.connect()
    // More than one error arrives: the server's word, then the broken connection.
    client.on('error', () => undefined)
    const cut = new Promise((resolve) => client.once('end', resolve))
    await database.drop()
    await cut
    await expect(query(database.url, 'select 1')).rejects.toThrow(/does not exist/)
  })
})
