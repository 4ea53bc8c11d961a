import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { currentBuild, describeBuild, installRoot } from './install.ts'

it('finds the folder of the product, not that of a workspace, and the commit of the checkout', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(installRoot, 'package.json'), 'utf8'))
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: installRoot, encoding: 'utf8' })
  const { version, commit } = currentBuild()
  expect(manifest).toMatchObject({ name: 'atoll', version })
  expect(head.startsWith(commit ?? 'unknown')).toBe(true)
})

it('is written as semantic versioning writes what a version was built from', () => {
  expect(describeBuild({ version: '1.2.3', commit: '44a5744c1d2e' })).toBe('1.2.3+44a5744c1d2e')
  expect(describeBuild({ version: '1.2.3', commit: undefined })).toBe('1.2.3')
})
