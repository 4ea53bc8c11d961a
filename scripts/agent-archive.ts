/** The agent as one file, apps/agent/dist/agent.tar.gz: what the server gives to machines that enrol. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bundleAgent } from './agent-bundle.ts'
import { openToAll } from './front-ends.ts'
import { projectRoot } from './project.ts'

const target = join(projectRoot, 'apps/agent/dist')
const archive = join(target, 'agent.tar.gz')
const stamp = join(target, '.sources')

/** Everything that the archive is made from; the pages by their build's own stamp. */
const sources = [
  'apps/agent/src/**/*.ts',
  'apps/agent/package.json',
  'apps/agent/web/dist/.sources',
  'packages/{contract,did}/src/**/*.ts',
  'package-lock.json',
  'scripts/agent-*.ts',
]

export function isAgentArchiveCurrent(): boolean {
  return existsSync(archive) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesHash()
}

/** Builds the archive; the same sources give the same bytes. Two builds at once do not mix. */
export async function buildAgentArchive(): Promise<void> {
  const drafts = join(projectRoot, '.cache/builds')
  mkdirSync(drafts, { recursive: true })
  const folder = mkdtempSync(join(drafts, 'agent-'))
  try {
    const hash = sourcesHash()
    await bundleAgent(join(folder, 'agent'))
    const draft = join(folder, 'agent.tar.gz')
    packFolder(join(folder, 'agent'), draft)
    mkdirSync(target, { recursive: true })
    renameSync(draft, archive)
    writeFileSync(stamp, hash)
    openToAll(target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** GNU tar; its options make the archive depend on names and contents alone. */
function packFolder(folder: string, path: string): void {
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  execFileSync('tar', [...fixed, '--use-compress-program=gzip -n9', '-cf', path, '-C', folder, '.'])
}

function sourcesHash(): string {
  const hash = createHash('sha256')
  const files = globSync(sources, { cwd: projectRoot, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.endsWith('.test.ts'))
  for (const path of paths.sort()) {
    hash.update(relative(projectRoot, path)).update('\0').update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}
