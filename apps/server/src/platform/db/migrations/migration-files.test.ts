import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findContractions, isAtLeast } from './migration-files.ts'

const fileOf = (sql: string, oldestProgram: string | undefined = '1.4.0') => ({
  name: '0001-a.sql',
  sql,
  checksum: '',
  oldestProgram,
})

it.each([
  'drop table things',
  'drop table if exists things',
  'alter table things drop column old',
  'alter table things\n  add column new int,\n  drop column old',
  'alter table things rename to others',
  'alter table things rename column a to b',
  'alter table things alter column a type bigint',
  'alter table things alter a set data type text',
  'alter table things alter column a set not null',
  'alter table things add column a int not null',
  'alter table things add column a int not null, add column b int default 1',
  'DROP VIEW seen',
  'drop function counted',
])('%s needs its word when an older program may run on it', (sql) => {
  expect(findContractions(fileOf(`create table more (id int);\n${sql};`))).toHaveLength(1)
  expect(findContractions(fileOf(`-- unused since: 1.4.0\n${sql};`))).toEqual([])
  expect(findContractions(fileOf(`-- unused since: 1.3.9\n${sql};`))).toEqual([])
  expect(findContractions(fileOf(`-- unused since: 1.5.0\n${sql};`))).toHaveLength(1)
  // Older programs are kept away.
  expect(findContractions({ ...fileOf(sql), oldestProgram: undefined })).toEqual([])
})

it.each([
  'create table things (id int not null)',
  'alter table things add column a int',
  'alter table things add column a int not null default 0',
  "alter table things add column a text default 'x' not null",
  'alter table things add column a int generated always as (b + 1) stored not null',
  'create index things_by_a on things (a)',
  'drop index things_by_a',
  'alter table things drop constraint things_check',
  '-- drop table things\nselect 1',
])('%s only adds, or takes away what no query names', (sql) => {
  expect(findContractions(fileOf(sql))).toEqual([])
})

it('versions are compared by their numbers', () => {
  expect(isAtLeast('1.10.0', '1.9.3')).toBe(true)
  expect(isAtLeast('1.9.3', '1.10.0')).toBe(false)
  expect(isAtLeast('2.0.0', '1.99.99')).toBe(true)
  expect(isAtLeast('1.2.3+44a5744c1d2e', '1.2.3')).toBe(true)
  const version = fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50))
  fc.assert(
    fc.property(version, version, (a, b) => {
      const order = a.map((number, at) => number - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0
      expect(isAtLeast(a.join('.'), b.join('.'))).toBe(order >= 0)
    }),
  )
})
