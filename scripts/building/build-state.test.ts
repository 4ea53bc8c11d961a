import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type LockedPackages, readPackages } from '../lockfile.mjs'
import { projectRoot } from '../project.ts'
import { describePagePackages } from './build-state.ts'

const packages = readPackages(join(projectRoot, 'package-lock.json'))
const withChanged = (name: string): LockedPackages => {
  const path = `node_modules/${name}`
  return { ...packages, [path]: { ...packages[path], version: '99.0.0' } }
}

it.each(['apps/console', 'apps/wallet', 'apps/agent/web'])(
  'pages of %s are built anew for a package that goes into them, and for no other',
  (name) => {
    const now = describePagePackages(packages, name)
    for (const used of ['react-dom', 'scheduler', '@mantine/core', 'i18next', 'vite', 'rolldown']) {
      expect(describePagePackages(withChanged(used), name), used).not.toBe(now)
    }
    for (const unused of ['@biomejs/biome', 'axe-core', 'fastify', 'kysely', 'typescript']) {
      expect(describePagePackages(withChanged(unused), name), unused).toBe(now)
    }
  },
)
