/** Building the pages of a front end. */
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'vite'
import { findTooNewFiles } from '../checks/browser-floor.ts'
import { projectRoot } from '../project.ts'
import { builtFolderMode, type FrontEnd, pagesHash, stampName } from './build-state.ts'
import { writeReleaseManifest } from './release-manifest.ts'
import { buildStatementVerifier } from './statement-verifier.ts'

/** Text that browsers fetch, and WebAssembly; pictures and fonts are compressed already. */
const compressible = /\.(js|css|html|svg|json|txt|wasm|webmanifest)$/
const fileMode = 0o644
/** Below this, compressing saves nothing that a packet notices; bytes. */
const leastCompressed = 1024

/**
 * Builds into a folder of its own and puts it in place of `dist` when it is complete, so a server that runs meanwhile
 * always has whole pages, an interrupted build changes nothing, and two builds at once do not mix.
 */
export async function buildFrontEnd(frontEnd: FrontEnd): Promise<void> {
  const sources = pagesHash(frontEnd)
  const drafts = join(projectRoot, '.cache/builds')
  mkdirSync(drafts, { recursive: true })
  const draft = mkdtempSync(join(drafts, `${frontEnd.name.replaceAll('/', '-')}-`))
  await build({
    root: frontEnd.folder,
    configFile: join(frontEnd.folder, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: draft, emptyOutDir: true },
  })
  const tooNew = findTooNewFiles(draft)
  if (tooNew.length > 0) throw new Error(tooNew.join('\n'))
  if (frontEnd.name === 'apps/console') await buildStatementVerifier(join(draft, 'verify'))
  await compressFiles(draft)
  if (frontEnd.name === 'apps/agent/web') writeReleaseManifest(draft)
  writeFileSync(join(draft, stampName), sources)
  openToAll(draft)
  replaceFolder(join(frontEnd.folder, 'dist'), draft)
}

/** Lets every user read `folder`, which a temporary folder and a strict umask do not. */
export function openToAll(folder: string): void {
  chmodSync(folder, builtFolderMode)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? builtFolderMode : fileMode)
  }
}

/** Puts `next` in place of `folder`. A process that does the same at this moment wins or loses as a whole. */
export function replaceFolder(folder: string, next: string): void {
  for (;;) {
    rmSync(folder, { recursive: true, force: true })
    try {
      renameSync(next, folder)
      return
    } catch (error) {
      // Another build's folder arrived in between; it is as complete as this one, and this one is the later.
      if (!(error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')))
        throw error
    }
  }
}

/** Writes `name.br` beside each file that browsers will ask for compressed. */
export async function compressFiles(folder: string): Promise<void> {
  const compress = promisify(brotliCompress)
  for (const entry of globSync('**/*', { cwd: folder, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !compressible.test(entry.name)) continue
    const content = readFileSync(path)
    if (content.length < leastCompressed) continue
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    writeFileSync(`${path}.br`, await compress(content, { params }))
  }
}
