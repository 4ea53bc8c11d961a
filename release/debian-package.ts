/**
 * The Debian package of a release: its tree under /usr/lib/atoll/package, from which postinst lays out a version, the
 * units of systemd, and `atollctl`. The same tree gives the same bytes.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { projectRoot } from '../scripts/project.ts'

const sources = join(projectRoot, 'release/debian')
const maintainerScripts = ['postinst', 'prerm', 'postrm']
/** Any fixed moment; dpkg keeps the times of files. */
const epoch = '1700000000'

/** Writes `atoll_VERSION_amd64.deb` into `folder` and returns its path. `tree`: as `layOut` makes it. */
export function makeDebianPackage(folder: string, tree: string, version: string): string {
  const root = join(folder, `debian-${version}`)
  rmSync(root, { recursive: true, force: true })
  const put = (from: string, to: string, mode: number) => {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    cpSync(from, join(root, to))
    chmodSync(join(root, to), mode)
  }
  cpSync(tree, join(root, 'usr/lib/atoll/package'), { recursive: true })
  for (const file of readdirSync(sources).filter((name) => /\.(service|socket|target|timer)$/.test(name)))
    put(join(sources, file), `usr/lib/systemd/system/${file}`, 0o644)
  put(join(sources, 'sysusers.conf'), 'usr/lib/sysusers.d/atoll.conf', 0o644)
  put(join(sources, 'atollctl'), 'usr/bin/atollctl', 0o755)
  const roles = readdirSync(join(sources, 'roles'))
  for (const file of roles) put(join(sources, 'roles', file), `etc/atoll/${file}`, 0o644)
  put(join(sources, 'copyright'), 'usr/share/doc/atoll/copyright', 0o644)
  const changes = readFileSync(join(projectRoot, 'CHANGELOG.md'))
  writeFileSync(join(root, 'usr/share/doc/atoll/changelog.gz'), gzipSync(changes, { level: 9 }), { mode: 0o644 })

  mkdirSync(join(root, 'DEBIAN'))
  for (const script of maintainerScripts) put(join(sources, script), `DEBIAN/${script}`, 0o755)
  writeFileSync(join(root, 'DEBIAN/conffiles'), roles.map((file) => `/etc/atoll/${file}\n`).join(''), { mode: 0o644 })
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: root, encoding: 'utf8' })
  const kilobytes = Number(run('du', '-sk', '--apparent-size', 'usr').split('\t')[0])
  writeFileSync(join(root, 'DEBIAN/control'), controlOf(version, kilobytes), { mode: 0o644 })
  const files = run('find', 'usr', '-type', 'f').trim().split('\n').sort()
  writeFileSync(join(root, 'DEBIAN/md5sums'), run('md5sum', ...files), { mode: 0o644 })
  run('chmod', '-R', 'u=rwX,go=rX', 'etc', 'usr', 'DEBIAN')
  run('find', '.', '-exec', 'touch', '-h', '-d', `@${epoch}`, '{}', '+')

  const target = join(folder, `atoll_${version}_amd64.deb`)
  const env = { ...process.env, SOURCE_DATE_EPOCH: epoch }
  // One thread: the blocks of several depend on which was faster.
  const options = ['--root-owner-group', '-Zxz', '-z2', '--threads-max=1', '--build', root, target]
  execFileSync('dpkg-deb', options, { env, stdio: ['ignore', 2, 2] })
  rmSync(root, { recursive: true })
  return target
}

function controlOf(version: string, kilobytes: number): string {
  return `Package: atoll
Version: ${version.replace('-', '~')}
Architecture: amd64
Maintainer: Atoll <operator@atoll.invalid>
Depends: libc6 (>= 2.28), libstdc++6 (>= 11), postgresql (>= 15), restic (>= 0.14), systemd (>= 252)
Section: net
Priority: optional
Installed-Size: ${kilobytes}
Description: hosting console for personal server clusters
 The server of Atoll with everything it needs: console, wallet, calls, the edge
 that visitors reach, the vault for backups, name server and worker.
`
}
