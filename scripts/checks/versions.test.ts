import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { projectRoot } from '../project.ts'
import { findOtherVersions } from './versions.ts'

it('holds for this project', () => {
  expect(findOtherVersions(projectRoot)).toEqual([])
})

it('names a workspace with another version, and one that asks for another version of a workspace', () => {
  const root = mkdtempSync(join(tmpdir(), 'atoll-versions-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (file: string, manifest: object) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), JSON.stringify(manifest))
  }
  write('package.json', { name: 'atoll', version: '1.1.0' })
  write('apps/agent/package.json', { name: '@atoll/agent', version: '1.0.0' })
  write('packages/did/package.json', {
    name: '@atoll/did',
    version: '1.1.0',
    dependencies: { zod: '4.6.7' },
    devDependencies: { '@atoll/contract': '1.0.0' },
  })
  expect(findOtherVersions(root)).toEqual([
    'apps/agent/package.json: @atoll/agent is 1.0.0, the product 1.1.0',
    'packages/did/package.json: @atoll/contract is 1.0.0, the product 1.1.0',
  ])
})
