/**
 * The program that checks statements, for people who do not trust us: `atoll-statement.mjs`, one file that needs
 * nothing but Node, and `atoll-statement.tgz`, the same for `npx <address>`. The same sources give the same bytes.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { projectRoot } from '../project.ts'

const name = 'atoll-statement'

/** Writes both to `folder`, which is made. */
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
      // To be read by whoever wants to know what it does.
      minify: false,
      rolldownOptions: { output: { format: 'es', entryFileNames: `${name}.mjs`, codeSplitting: false } },
    },
    ssr: { noExternal: true, target: 'node' },
  })
  const drafts = join(projectRoot, '.cache/builds')
  mkdirSync(drafts, { recursive: true })
  const draft = mkdtempSync(join(drafts, 'verifier-'))
  try {
    packVerifier(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** An npm package without dependencies, as `npm pack` lays it out. */
function packVerifier(draft: string, folder: string): void {
  const inside = join(draft, 'package')
  mkdirSync(inside)
  copyFileSync(join(folder, `${name}.mjs`), join(inside, `${name}.mjs`))
  chmodSync(join(inside, `${name}.mjs`), 0o755)
  const manifest = { name, version: '1.0.0', type: 'module', bin: { [name]: `${name}.mjs` } }
  writeFileSync(join(inside, 'package.json'), `${JSON.stringify(manifest)}\n`)
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  const archive = join(folder, `${name}.tgz`)
  execFileSync('tar', [...fixed, '--use-compress-program=gzip -n9', '-cf', archive, '-C', draft, 'package'])
}
