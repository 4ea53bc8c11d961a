import { expect, test } from 'vitest'
import { describeTable } from './text-tables.ts'

test('holds a file of each language', () => {
  expect(describeTable('shared/a.json', ['en-US', 'zh-CN'])).toBe(`// Made by scripts/checks/text-tables.ts.
import texts0 from '../../en-US/shared/a.json' with { type: 'json' }
import texts1 from '../../zh-CN/shared/a.json' with { type: 'json' }

export default { 'en-US': texts0, 'zh-CN': texts1 }
`)
})
