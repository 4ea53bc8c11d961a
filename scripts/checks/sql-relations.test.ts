import { expect, it } from 'vitest'
import { hole, relationsIn } from './sql-relations.ts'

const namesIn = (text: string) => relationsIn(text).relations.map(({ name }) => name)

it.each([
  ['select * from pearls', ['pearls']],
  ['select * from "Pearls" as p', ['Pearls']],
  [
    'select * from public.pearls join shells s on s.id = pearls.shell left join divers using (diver)',
    ['pearls', 'shells', 'divers'],
  ],
  [
    'select * from pearls p, shells as s (id, worth), lateral (select 1) l, only divers where a in (b, c)',
    ['pearls', 'shells', 'divers'],
  ],
  ['select * from (pearls join shells using (id))', ['pearls', 'shells']],
  ['select (select max(at) from dives d where d.pearl = p.id) from pearls p', ['dives', 'pearls']],
  ['insert into pearls (id) select id from shells on conflict (id) do update set worth = 1', ['pearls', 'shells']],
  ['update pearls set worth = 0 from shells where shells.id = shell', ['pearls', 'shells']],
  ['delete from pearls using shells s, divers where s.id = shell', ['pearls', 'shells', 'divers']],
  ['truncate table pearls, shells', ['pearls', 'shells']],
  ['lock table pearls in exclusive mode', ['pearls']],
  ['copy pearls (id) from stdin', ['pearls', 'stdin']],
  ['merge into pearls using shells on true', ['pearls', 'shells']],
  ['exists (select from graphile_worker.jobs job)', ['graphile_worker.jobs']],
  [`from ${hole} p join pearls on true`, ['pearls']],
  ['pearls', ['pearls']],
])('reads the tables of: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

it.each([
  'select extract(epoch from pearls), trim(both from pearls) where a is distinct from pearls and b is not distinct from pearls',
  "select 'from pearls' -- from pearls\n /* from pearls */",
  'select 1 from generate_series(1, 2) for update',
  'select 1 for no key update of pearls',
  'select pearls.id, count(pearls) where pearls = 1',
])('finds no table in: %s', (text) => {
  expect(namesIn(text)).toEqual([])
})

it('takes a common table expression for a table inside its own body alone', () => {
  expect(namesIn('with pearls as (select * from pearls), best as (select * from pearls) select * from best')).toEqual([
    'pearls',
  ])
  expect(namesIn('with recursive pearls (id) as (select 1 union select id from pearls) select * from pearls')).toEqual(
    [],
  )
  expect(namesIn('select * from (with pearls as not materialized (select 1) select * from pearls) p, pearls')).toEqual([
    'pearls',
  ])
})

it('tells which common table expressions an interpolation sees', () => {
  const { visibleAtHoles } = relationsIn(`with best as (select ${hole}) select ${hole}`, new Set(['outer']))
  expect(visibleAtHoles.map((names) => [...names])).toEqual([['outer'], ['outer', 'best']])
})

it('tells what is written from what is read', () => {
  const { relations } = relationsIn('with gone as (delete from a using b returning *) insert into c select * from d')
  expect(relations).toEqual([
    { name: 'a', isWritten: true },
    { name: 'b', isWritten: false },
    { name: 'c', isWritten: true },
    { name: 'd', isWritten: false },
  ])
})
