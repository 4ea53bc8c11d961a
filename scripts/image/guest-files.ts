/** The tree of files that an instance's image holds. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const ownFiles = join(import.meta.dirname, 'files')
/** Of Debian's package busybox-static, or busybox. */
export const busyboxPath = '/bin/busybox'

/** Makes `root` (which must be empty): busybox as init and shell, Node and restic with their libraries, the agent. */
export function writeGuestFiles(
  root: string,
  { node, agent, restic }: { node: string; agent: string; restic?: string | undefined },
): void {
  for (const folder of [
    'bin',
    'dev',
    'etc/init.d',
    'opt/atoll',
    'proc',
    'root',
    'run',
    'sbin',
    'sys',
    'tmp',
    'usr/bin',
  ]) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  mkdirSync(join(root, 'var/lib/atoll'), { recursive: true, mode: 0o700 })
  copy(busyboxPath, join(root, 'bin/busybox'), 0o755)
  for (const applet of appletsOf(busyboxPath))
    if (applet !== 'busybox') symlinkSync('busybox', join(root, 'bin', applet))
  symlinkSync('../bin/busybox', join(root, 'sbin/init'))
  copy(node, join(root, 'usr/bin/node'), 0o755)
  if (restic !== undefined) copy(restic, join(root, 'usr/bin/restic'), 0o755)
  const programs = [node, busyboxPath, ...(restic === undefined ? [] : [restic])]
  for (const library of new Set(programs.flatMap(librariesOf))) {
    copy(library, join(root, library), 0o755)
  }
  cpSync(agent, join(root, 'opt/atoll/agent'), { recursive: true })

  copy(join(ownFiles, 'run'), join(root, 'opt/atoll/run'), 0o755)
  copy(join(ownFiles, 'inittab'), join(root, 'etc/inittab'), 0o644)
  copy(join(ownFiles, 'rcS'), join(root, 'etc/init.d/rcS'), 0o755)
  copy(join(ownFiles, 'udhcpc.script'), join(root, 'usr/share/udhcpc/default.script'), 0o755)
  const texts = {
    'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
    'etc/group': 'root:x:0:\n',
    'etc/hosts': '127.0.0.1 localhost\n',
    'etc/nsswitch.conf': 'hosts: files dns\n',
  }
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(root, path), text)
}

/** Makes `folder` hold what LXD wants to know of an image, and the files it fills in for each instance. */
export function writeMetadata(folder: string, architecture: string): void {
  mkdirSync(join(folder, 'templates'), { recursive: true })
  copy(join(ownFiles, 'agent.env.tpl'), join(folder, 'templates/agent.env.tpl'), 0o644)
  writeFileSync(join(folder, 'templates/hostname.tpl'), '{{ instance.name }}\n')
  const always = 'when: [create, copy, start]'
  const lines = [
    `architecture: ${architecture}`,
    `creation_date: ${imageTime}`,
    'properties: { description: Atoll agent, os: busybox }',
    'templates:',
    `  /etc/hostname: { ${always}, template: hostname.tpl }`,
    `  /opt/atoll/agent.env: { ${always}, template: agent.env.tpl }`,
  ]
  writeFileSync(join(folder, 'metadata.yaml'), `${lines.join('\n')}\n`)
}

/** The time of every file in the image, s: the same sources must give the same bytes. */
export const imageTime = 1_700_000_000

function copy(from: string, to: string, mode: number): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
  chmodSync(to, mode)
}

function appletsOf(busybox: string): string[] {
  return execFileSync(busybox, ['--list'], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

/**
 * The shared libraries of a program and the loader, by the paths it loads them from; none of a static one.
 */
function librariesOf(program: string): string[] {
  const { stdout, stderr } = spawnSync('ldd', [program], { encoding: 'utf8' })
  if (/not a dynamic executable|statically linked/.test(stdout + stderr)) return []
  const paths = stdout.split('\n').flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? [])
  if (paths.length === 0 || !paths.every((path) => existsSync(path))) {
    throw new Error(`The libraries of ${program} cannot be told from ldd:\n${stdout}${stderr}`)
  }
  return paths
}

/** Sources of the build besides the agent's bundle; read to decide whether an image is current. */
export function guestSources(): Buffer[] {
  const names = ['inittab', 'rcS', 'run', 'udhcpc.script', 'agent.env.tpl']
  return [...names.map((name) => readFileSync(join(ownFiles, name))), readFileSync(import.meta.filename)]
}
