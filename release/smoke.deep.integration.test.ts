import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { layOutServer } from './layout.ts'
import { importEveryChunk } from './smoke.ts'

const title = 'every file of a release’s server loads apart from the checkout, and one that does not is named'
/** It copies Node and starts it twice; a loaded machine takes long for both. */
it(title, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await layOutServer(folder, { version: '1.2.3', commit: '0123456789ab' })
  expect(await importEveryChunk(folder)).toBeGreaterThan(50)
  writeFileSync(join(folder, 'server/broken.mjs'), 'console.log(__dirname)\n')
  await expect(importEveryChunk(folder)).rejects.toThrow(/broken\.mjs: ReferenceError/)
})
