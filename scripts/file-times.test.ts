import { expect, it } from 'vitest'
import { tellSlowest } from './file-times.ts'

it('names the slowest files, slowest first', () => {
  const times = [
    { file: 'quick.test.ts', seconds: 0.04 },
    { file: 'slow.test.ts', seconds: 101.26 },
    { file: 'middling.test.ts', seconds: 2 },
  ]
  expect(tellSlowest(times, 2)).toBe(
    ['The slowest 2 of 3 files (103 s):', '  101.3 s  slow.test.ts', '    2.0 s  middling.test.ts'].join('\n'),
  )
})
