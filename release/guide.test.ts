import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../scripts/project.ts'
import { guidePages, readGuide } from './testing/guide.ts'
import { verbs } from './testing/verbs.ts'

it('reads every page of the guide, and knows who runs each block and every verb in it', () => {
  expect(readdirSync(join(projectRoot, 'docs/operate')).sort()).toEqual([...guidePages].sort())
  const blocks = readGuide()
  expect([...new Set(blocks.map(({ info }) => info))].sort()).toEqual(['sh', 'sh by-hand', 'sh on-a-machine'])
  const named = blocks.flatMap(({ commands }) => commands.flatMap((line) => /^atollctl (\S+)/.exec(line)?.[1] ?? []))
  expect(named.filter((verb) => !(verb in verbs))).toEqual([])
})
