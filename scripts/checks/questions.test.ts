// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are sources that hold templates
import { expect, it } from 'vitest'
import { findWritingQuestions } from './questions.ts'

const reef = 'apps/server/src/modules/reef'

/** Those of the functions in these files of one module that are named as questions and write. */
const named = (files: Record<string, string>): string[] =>
  findWritingQuestions(new Map(Object.entries(files).map(([file, text]) => [`${reef}/${file}`, text])))

it.each([
  "async function isTaken(trx) { await trx.insertInto('names').values({}).execute() }",
  "export async function findPrefix(trx) { return await trx.transaction((t) => t.updateTable('a').execute()) }",
  'const hasRun = async (trx) => { await sql`delete from runs where id = ${id}`.execute(trx) }',
  'export async function getKey(trx) { await sql`select ledger_post(${book})`.execute(trx) }',
  'async function whyParked(trx) { await sql`with a as (insert into b select 1) select * from a`.execute(trx) }',
])('a question writes nothing itself: %s', (source) => {
  expect(named({ 'a.ts': source })).toEqual([
    expect.stringMatching(/\/a\.ts:1: \w+ is named as a question and writes$/),
  ])
})

it('nor does what it calls, or hands on, in whatever file that stands', () => {
  const files = {
    'pay.ts':
      "export async function end(trx) { await trx.deleteFrom('payments').execute() }\nexport const cancel = (trx) => end(trx)",
    'index.ts': "export { cancel as stop } from './pay.ts'",
    'ask.ts':
      "import { stop } from './index.ts'\n\nexport async function mayBePaid(trx) {\n  return [trx].map(stop)\n}",
  }
  expect(named(files)).toEqual([
    `${reef}/ask.ts:3: mayBePaid is named as a question and calls cancel, which calls end, which writes`,
  ])
})

it.each([
  "async function isolate(trx) { await trx.insertInto('names').execute() }",
  "async function listNames(trx) { return await trx.selectFrom('names').selectAll().forUpdate().execute() }",
  'async function canGo(trx) { return await sql`select updated from deleted where note = ${insert}`.execute(trx) }',
  "async function findName(trx) { return await trx.selectFrom('names').execute() }\nasync function keep(trx) { await trx.insertInto('names').execute() }",
])('a command may, and a question may read: %s', (source) => {
  expect(named({ 'a.ts': source })).toEqual([])
})
