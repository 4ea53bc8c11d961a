/**
 * The agent as one folder that needs nothing but Node: what an image holds and what a machine of somebody's own gets.
 *   main.mjs and its parts   the code, without types, with the libraries it uses
 *   package.json             its version, and in a release its commit and when that was made
 *   release-key.pem          of a signed release: what verifies the next one
 *   web/dist/                the pages of the personal server
 * The same sources give the same bytes.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { projectRoot } from '../project.ts'
import { isCurrent, listFrontEnds } from './build-state.ts'
import { buildFrontEnd } from './front-ends.ts'

const agentFolder = join(projectRoot, 'apps/agent')

/** The version that a release gives the agent in it. */
export interface AgentIdentity {
  version: string
  commit: string
  /** When it was committed, seconds. */
  at: number
  /** PEM; undefined: it is not signed. */
  publicKey?: string | undefined
}

/** Writes the bundle to `folder`, which is emptied first; without `release` it is of none. */
export async function bundleAgent(folder: string, release?: AgentIdentity): Promise<void> {
  await bundleProgram(folder, release)
  const pages = listFrontEnds().find((frontEnd) => frontEnd.name === 'apps/agent/web')
  if (!pages) throw new Error('The front end of the agent is missing')
  if (!isCurrent(pages)) await buildFrontEnd(pages)
  cpSync(join(pages.folder, 'dist'), join(folder, 'web/dist'), { recursive: true })
}

/** The same without the pages. */
export async function bundleProgram(folder: string, release?: AgentIdentity): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({
    root: agentFolder,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: join(agentFolder, 'src/main.ts'),
      target: 'node24',
      outDir: folder,
      emptyOutDir: false,
      minify: true,
      rolldownOptions: {
        // All in one folder: the code finds package.json and web/dist above itself.
        output: { format: 'es', entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
    ssr: { noExternal: true, target: 'node' },
  })
  const { name, version } = JSON.parse(readFileSync(join(agentFolder, 'package.json'), 'utf8')) as Record<
    'name' | 'version',
    string
  > // our own file
  const identity = release ? { version: release.version, commit: release.commit, at: release.at } : { version }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, ...identity, type: 'module' })}\n`)
  if (release?.publicKey) writeFileSync(join(folder, 'release-key.pem'), release.publicKey)
}
