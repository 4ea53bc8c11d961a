/** Packs the agent into one file. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '../project.ts'
import { bundleAgent } from './agent-bundle.ts'
import { agentArchive, archiveHash, stampName } from './build-state.ts'
import { openToAll } from './front-ends.ts'

/** Builds the archive; the same sources give the same bytes. Two builds at once do not mix. */
export async function buildAgentArchive(): Promise<void> {
  const drafts = join(projectRoot, '.cache/builds')
  mkdirSync(drafts, { recursive: true })
  const folder = mkdtempSync(join(drafts, 'agent-'))
  try {
    const hash = archiveHash()
    await bundleAgent(join(folder, 'agent'))
    const draft = join(folder, 'agent.tar.gz')
    packFolder(join(folder, 'agent'), draft)
    const target = dirname(agentArchive)
    mkdirSync(target, { recursive: true })
    renameSync(draft, agentArchive)
    writeFileSync(join(target, stampName), hash)
    openToAll(target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Packs `folder` with GNU tar; its options make the archive depend on names and contents alone. */
export function packFolder(folder: string, path: string): void {
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  execFileSync('tar', [...fixed, '--use-compress-program=gzip -n9', '-cf', path, '-C', folder, '.'])
}
