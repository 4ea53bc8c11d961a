/**
 * The program that checks statements, for people who do not trust us: `atoll-statement.mjs`, one file that needs
 * nothing but Node. The server serves it with its keys written into it. The same sources give the same bytes.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { projectRoot } from '../project.ts'

const name = 'atoll-statement'

/** Writes it to `folder`, which is made. */
export async function buildStatementVerifier(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await build({
    root: join(projectRoot, 'packages/statement'),
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: join(projectRoot, 'packages/statement/program/main.ts'),
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      // Not minified, so that a customer can read it.
      minify: false,
      rolldownOptions: { output: { format: 'es', entryFileNames: `${name}.mjs`, codeSplitting: false } },
    },
    ssr: { noExternal: true, target: 'node' },
  })
}
