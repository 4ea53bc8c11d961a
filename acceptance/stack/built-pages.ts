import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@atoll/testkit'

const pages = ['apps/console/dist', 'apps/wallet/dist', 'apps/agent/web/dist']

/** Vitest global setup: the servers under test serve what `npm run build` made, so it must be there. */
export function setup(): void {
  const missing = pages.filter((folder) => !existsSync(join(repositoryRoot, folder, 'index.html')))
  if (missing.length > 0) throw new Error(`not built: ${missing.join(', ')}; run npm run build first`)
}
