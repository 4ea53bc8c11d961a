/** The programs of a release: the server, and those that an operator runs. */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RolldownOutput } from 'rolldown'
import { bundleForNode } from '../scripts/building/node-bundle.ts'
import { projectRoot } from '../scripts/project.ts'

const operatorFolder = 'apps/server/src/operator'
/** The programs that an operator runs by name; the other files of their folders are their parts. */
export const operatorPrograms: readonly string[] = globSync(`${operatorFolder}/*/*.ts`, { cwd: projectRoot })
  .filter((file) =>
    /^(admin|rollout|catalog|catalog-check|diagnostics|doctor|move-(address|database)|rotate-key|setup|self-(backup|restore|verify)|status-publish|upgrade|vault-reindex|usage-import|[a-z]+-verify)\.ts$/.test(
      basename(file),
    ),
  )
  .sort()

/** Names of the files that are programs: they are run, not imported. */
export const programs: readonly string[] = ['atoll', ...operatorPrograms.map((file) => basename(file, '.ts'))]

/** Writes the bundle to `folder`. The same sources give the same bytes. */
export async function bundleServer(folder: string): Promise<RolldownOutput> {
  const programFiles = operatorPrograms.map((file) => [basename(file, '.ts'), join(projectRoot, file)])
  return await bundleForNode(
    { atoll: join(projectRoot, 'release/server.ts'), ...Object.fromEntries(programFiles) },
    folder,
  )
}
